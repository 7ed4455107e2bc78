import { expect, test } from "vitest";
import { ErrorBody } from "../../../src/engine/api/error.ts";
import { type ErrorCode, errorTable, GatewayError } from "../../../src/engine/errors.ts";
import { toErrorBody, toErrorResponse } from "../../../src/http/response/errors.ts";

const request = { eventId: "evt_1", requestType: "chat_completion", model: "openai/gpt" } as const;

test.each(Object.entries(errorTable))("%s has its status, its type and the one body", (name, { status }) => {
  const code = name as ErrorCode;
  const response = toErrorResponse(
    new GatewayError(code, "Something happened.", { param: "messages.0.role" }),
    request,
  );
  expect(response.status).toBe(status);
  expect(response.headers["content-type"]).toBe("application/json");
  expect(ErrorBody.parse(JSON.parse(String(response.body)))).toEqual({
    event_id: "evt_1",
    type: code,
    is_gateway_error: true,
    status_code: status,
    error: {
      type: code,
      code,
      message: code === "internal" ? expect.stringContaining("event_id") : "Something happened.",
      param: "messages.0.role",
      event_id: "evt_1",
    },
    extra_fields: { model_requested: "openai/gpt", request_type: "chat_completion" },
  });
});

test("a provider's status, type, code, param and message survive unchanged", () => {
  const upstream = { status: 418, type: "teapot_error", code: "short", param: "spout", message: "I'm a teapot" };
  const error = new GatewayError("upstream_error", "openai answered 418.", {
    upstream,
    provider: "openai",
    param: "x",
  });
  const { status_code, is_gateway_error, type, error: inner, extra_fields } = toErrorBody(error, request);
  expect({ status_code, is_gateway_error, type }).toEqual({
    status_code: 418,
    is_gateway_error: false,
    type: "upstream_error",
  });
  expect(inner).toMatchObject({ type: "teapot_error", code: "short", param: "spout", message: "I'm a teapot" });
  expect(extra_fields.provider).toBe("openai");
});

test("a provider that names no code gets its type as code, one that names neither ours", () => {
  const body = (upstream: { type?: string }) =>
    toErrorBody(
      new GatewayError("upstream_error", "x", { upstream: { status: 400, message: "no", ...upstream } }),
      request,
    ).error;
  expect(body({ type: "invalid" })).toMatchObject({ type: "invalid", code: "invalid", param: null });
  expect(body({})).toMatchObject({ type: "upstream_error", code: "upstream_error" });
});

test.each([0, 101, 200, 302, 600, Number.NaN])(
  "a provider's status %d is no failure of HTTP and becomes 502",
  (status) => {
    const error = new GatewayError("upstream_error", "x", { upstream: { status, message: "odd" } });
    expect(toErrorResponse(error, request).status).toBe(502);
    expect(toErrorBody(error, request).status_code).toBe(502);
  },
);

test("of a defect nothing is told, neither its message nor its cause", () => {
  const error = new GatewayError("internal", "password is hunter2", { cause: new Error("hunter2") });
  expect(JSON.stringify(toErrorResponse(error, request))).not.toContain("hunter2");
});

test("Retry-After is digits that a client can read, however long a vendor wants it to wait", () => {
  const header = (retryAfterMs: number) =>
    toErrorResponse(new GatewayError("upstream_error", "x", { retryAfterMs }), request).headers["retry-after"];
  expect([header(1e26), header(1e303)]).toEqual(["2147483648", "2147483648"]);
});

test("Retry-After is in whole seconds, rounded up, at least one", () => {
  const header = (retryAfterMs: number | undefined, code: ErrorCode = "upstream_error") =>
    toErrorResponse(new GatewayError(code, "x", { retryAfterMs }), request).headers["retry-after"];
  expect([header(1), header(1_000), header(1_001), header(0), header(undefined)]).toEqual([
    "1",
    "1",
    "2",
    "1",
    undefined,
  ]);
});

test.each(["token_limited", "request_limited", "circuit_open", "shutting_down"] as const)(
  "%s always says when to come back",
  (code) => {
    expect(toErrorResponse(new GatewayError(code, "x"), request).headers["retry-after"]).toBe("1");
  },
);

test("the story of the attempts is told", () => {
  const attempts = [{ target: "a/m", status: 500, reason: "upstream_error", milliseconds: 12 }] as const;
  expect(toErrorBody(new GatewayError("upstream_error", "x", { attempts }), request).error.attempts).toEqual(attempts);
  expect(toErrorBody(new GatewayError("not_found", "x"), request).error).not.toHaveProperty("attempts");
});

test("what is not known is left out of extra_fields", () => {
  const unknown = { eventId: "evt_1", requestType: undefined, model: undefined };
  expect(toErrorBody(new GatewayError("not_found", "x"), unknown).extra_fields).toEqual({});
});
