import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorCode, GatewayError } from "../../../src/engine/errors.ts";
import { backOff, defaultRetryPolicy, judge } from "../../../src/engine/routing/index.ts";

const upstream = (status: number, more: { code?: string; message?: string; retryAfterMs?: number } = {}) =>
  new GatewayError("upstream_error", more.message ?? "no", {
    upstream: { status, code: more.code, message: more.message ?? "no" },
    retryAfterMs: more.retryAfterMs,
  });
const verdict = (error: GatewayError, more: Partial<Parameters<typeof judge>[0]> = {}) =>
  judge({ error, tries: 1, policy: defaultRetryPolicy, remainingMs: 600_000, draw: 0, ...more });

describe("judge", () => {
  it.each([500, 502, 503, 504, 529])("%i is retried on the same target", (status) => {
    expect(verdict(upstream(status)).kind).toBe("retry");
  });
  it("a lost connection is retried on the same target", () => {
    expect(verdict(new GatewayError("upstream_unreachable", "no")).kind).toBe("retry");
  });
  it.each([400, 422])("%i is the caller's fault: nobody else is asked", (status) => {
    expect(verdict(upstream(status))).toEqual({ kind: "stop" });
  });
  it.each([401, 402, 403, 404, 409, 413])("%i is never retried; the next target may answer", (status) => {
    expect(verdict(upstream(status))).toEqual({ kind: "next" });
  });
  it.each<ErrorCode>(["request_cancelled", "internal", "invalid_request", "shutting_down"])(
    "%s ends the request",
    (code) => {
      expect(verdict(new GatewayError(code, "no"))).toEqual({ kind: "stop" });
    },
  );
  it("a defect of a provider ends nothing but its own try", () => {
    expect(verdict(new GatewayError("upstream_error", "no", { provider: "a" }))).toEqual({ kind: "next" });
  });
  it.each<ErrorCode>(["upstream_timeout", "upstream_stream_broken", "upstream_invalid_response"])(
    "%s is not asked again: next target",
    (code) => {
      expect(verdict(new GatewayError(code, "no"))).toEqual({ kind: "next" });
    },
  );
  it.each([
    upstream(400, { code: "context_length_exceeded" }),
    upstream(400, { message: "prompt is too long: 210000 tokens > 200000 maximum" }),
    upstream(400, {
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
    }),
    upstream(400, { message: "This model's maximum context length is 8192 tokens." }),
  ])("a context that is too long moves on at once: $message", (error) => {
    expect(verdict(error)).toEqual({ kind: "next" });
  });
  it.each([400, 403])("a content-policy refusal (%i) is not taken elsewhere", (status) => {
    expect(verdict(upstream(status, { code: "content_policy_violation" }))).toEqual({ kind: "stop" });
  });
  it("after the retries the next target is asked", () => {
    expect(verdict(upstream(500), { tries: defaultRetryPolicy.retries + 1 })).toEqual({ kind: "next" });
  });
  it("Retry-After is honoured to the millisecond", () => {
    expect(verdict(upstream(429, { retryAfterMs: 7_000 }))).toEqual({ kind: "retry", afterMs: 7_000 });
  });
  it("a Retry-After that does not fit the deadline moves on", () => {
    expect(verdict(upstream(429, { retryAfterMs: 7_000 }), { remainingMs: 7_000 })).toEqual({ kind: "next" });
  });
});

describe("backOff", () => {
  const tries = fc.integer({ min: 1, max: 20 });
  const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  it("never passes the longest pause", () => {
    fc.assert(fc.property(tries, draw, (n, d) => backOff(n, defaultRetryPolicy, d) <= defaultRetryPolicy.maxMs));
  });
  it("is at least half of the doubled base", () => {
    fc.assert(
      fc.property(tries, draw, (n, d) => backOff(n, defaultRetryPolicy, d) >= Math.min(5_000, 500 * 2 ** (n - 1)) / 2),
    );
  });
  it("does not shrink from try to try for the same draw", () => {
    fc.assert(
      fc.property(tries, draw, (n, d) => backOff(n + 1, defaultRetryPolicy, d) >= backOff(n, defaultRetryPolicy, d)),
    );
  });
});
