import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { boundOutput } from "../../../../src/engine/metering/output-bound.ts";
import { compileAccess, entryFor } from "../../../../src/engine/policy/access.ts";
import { usageOfLimits } from "../../../../src/engine/policy/limit-usage.ts";
import {
  chargeReservation,
  countTarget,
  findTightest,
  planReservation,
  refuseShortfall,
} from "../../../../src/engine/policy/limits-reservation.ts";
import { type Refusal, toRefusalError } from "../../../../src/engine/policy/refusal.ts";
import type { CounterReading, CounterReservation, Shortfall } from "../../../../src/engine/ports/counters.ts";
import { aBudget, aKey, anEntry, aProject } from "../../support/records.ts";

const now = Date.parse("2026-11-20T10:00:00.000Z");
const terms = { reservationId: "t", now, expiresAt: now + 1_000 };
const perMinute = [
  {
    request_max_limit: 3,
    request_reset_duration: "1m" as const,
    token_max_limit: 1_000,
    token_reset_duration: "1m" as const,
  },
];
const key = aKey({
  provider_configs: [
    anEntry({ provider: "openai", rate_limits: perMinute, budgets: [aBudget({ enforcement: "hard" })] }),
  ],
  rate_limits: [{ request_max_limit: 5, request_reset_duration: "1h" }],
  budgets: [aBudget({ max_limit: 0.01, reset_duration: "1M", calendar_aligned: true })],
  project_id: "prj_1",
});
const limits = entryFor(compileAccess({ key, project: aProject() }), "openai")?.limits ?? [];
const bounds = { cost: { hard: 9_000_000, soft: 4_000_000 }, tokens: 300, counting: "all" as const };

describe("the bound of an answer", () => {
  it.each([
    ["hard takes what was asked", { largest: 8_000, requested: 10 }, { hard: 10, soft: 10 }],
    ["hard takes the model's largest when nothing was asked", { largest: 8_000 }, { hard: 8_000, soft: 1_024 }],
    [
      "and where the target ignores what was asked",
      { largest: 8_000, requested: 10, ignoresLimit: true },
      { hard: 8_000, soft: 10 },
    ],
    ["neither takes more than the model can give", { largest: 500, requested: 9_000 }, { hard: 500, soft: 500 }],
    ["an unknown largest is taken for 131,072", {}, { hard: 131_072, soft: 1_024 }],
    ["or for what was asked, if that is more", { requested: 200_000 }, { hard: 200_000, soft: 200_000 }],
    [
      "and so where the target ignores that",
      { requested: 200_000, ignoresLimit: true },
      { hard: 200_000, soft: 200_000 },
    ],
    ["several answers take several times as much", { largest: 100, choices: 3 }, { hard: 300, soft: 300 }],
    ["nonsense is bounded", { requested: -5, choices: Number.NaN, largest: 10 }, { hard: 0, soft: 0 }],
    ["and so is greed", { requested: 2 ** 60, choices: 1e12 }, { hard: 2 ** 40, soft: 2 ** 40 }],
  ])("%s", (_rule, question, expected) => expect(boundOutput(question)).toEqual(expected));
});

describe("a reservation", () => {
  it("holds one request, the tokens, and the cost by each budget's enforcement", () => {
    const { call } = planReservation(limits, bounds, terms);
    expect(call.holds.map(({ counter, amount, isHard }) => `${counter} ${amount}${isHard ? " hard" : ""}`)).toEqual([
      "entry/vk_1/openai/requests/1m 1",
      "key/vk_1/requests/1h 1",
      "entry/vk_1/openai/tokens/1m 300",
      "entry/vk_1/openai/cost/1d 9000000 hard",
      "key/vk_1/cost/1M/calendar 4000000",
    ]);
    expect(call.holds.map(({ opens }) => opens.end - now)).toEqual([
      60_000,
      3_600_000,
      60_000,
      86_400_000,
      254 * 3_600_000,
    ]);
  });

  it("counts a request once at every level, and once at each entry that it falls back to", () => {
    const requested: string[] = [];
    const told = ["openai", "openai", "anthropic", "openai"].map((provider) => {
      const counting = countTarget(provider, requested);
      requested.push(provider);
      const counted = planReservation(limits, { ...bounds, counting }, terms).limits;
      return counted.filter(({ unit }) => unit === "requests").map(({ level }) => level);
    });
    expect(told).toEqual([["entry", "key"], [], ["entry"], []]);
  });

  it("is charged with the real amounts, in its own order", () => {
    const reservation = planReservation(limits, bounds, terms);
    expect(chargeReservation(reservation, { requests: 1, tokens: 120, cost: 77 })).toEqual([1, 1, 120, 77, 77]);
  });
});

describe("a shortfall", () => {
  const reservation = planReservation(limits, bounds, terms);
  const shortfall = (position: number, left: number, resetsAt: number): Refusal => {
    const fault: Shortfall = { kind: "shortfall", position, left, resetsAt };
    return refuseShortfall(reservation, fault);
  };

  it("of a request window is request_limited, with the time to wait", () => {
    const refusal = shortfall(0, 0, now + 42_000);
    expect(refusal).toMatchObject({ kind: "refusal", reason: "request_limited", left: 0, retryAfterMs: 42_000 });
    expect(refusal.message).toBe(
      "The request limit of the key's provider (3 requests per 1m) has 0 requests left until 2026-11-20T10:00:42.000Z; this call may take 1 request.",
    );
  });

  it("of a token window is token_limited", () => {
    expect(shortfall(2, 10, now + 1)).toMatchObject({ reason: "token_limited", retryAfterMs: 1 });
  });

  it("that no window can ever hold says that waiting does not help, and what does", () => {
    const inFull = (tokens: number, position: number) => {
      const cost = { hard: 2_000_000_000, soft: 20_000_000 };
      const large = planReservation(limits, { ...bounds, tokens, cost }, terms);
      return refuseShortfall(large, { kind: "shortfall", position, left: 0, resetsAt: now + 1 }).message;
    };
    const never = "waiting does not help; shorten it, lower `max_completion_tokens`, or have the limit raised.";
    expect(inFull(1_000, 2)).toMatch(/; this call may take 1000 tokens\.$/);
    expect(inFull(1_001, 2).endsWith(`; this call may take 1001 tokens: ${never}`)).toBe(true);
    expect(inFull(1, 4).endsWith(`; this call may take 0.02 USD: ${never}`)).toBe(true);
    expect(inFull(1, 3).endsWith(`; this call may take 2 USD: ${never}`)).toBe(true);
  });

  it("of a budget says what calls under way hold, and when to come back where they alone keep the call out", () => {
    const held = (left: number, reserved: number, fits?: number) =>
      refuseShortfall(reservation, { kind: "shortfall", position: 4, left, resetsAt: now + 1, reserved }, fits);
    expect(held(1_000_000, 5_000_000).message).toContain(
      "0.001 USD left until 2026-11-20T10:00:00.001Z, and 0.005 USD held by calls under way; ",
    );
    expect(held(1_000_000, 5_000_000).retryAfterMs).toBe(1_000);
    expect(held(1_000_000, 2_000_000).retryAfterMs).toBeUndefined();
    expect(held(1_000_000, 0, 120).message).toMatch(
      / An answer of up to 120 tokens would fit: lower `max_completion_tokens`, or ask with `fit`\.$/,
    );
  });

  it("of a budget is budget_exceeded, says what is left, and offers no waiting", () => {
    const refusal = shortfall(4, 1_234_500, Date.parse("2026-12-01T00:00:00Z"));
    expect(refusal).toMatchObject({ reason: "budget_exceeded", retryAfterMs: undefined });
    expect(refusal.message).toBe(
      "The budget of the key (0.01 USD per 1M) has 0.0012345 USD left until 2026-12-01T00:00:00.000Z; this call may take 0.004 USD.",
    );
    expect(toRefusalError(refusal)).toMatchObject({ status: 402, message: refusal.message, retryAfterMs: undefined });
  });
});

describe("where the caller stands", () => {
  const counters = memoryCounters();
  const reservation = planReservation(limits, bounds, terms);
  const reservationId = counters.reserve(reservation.call) as CounterReservation;

  it("is the window with the least left, by unit", () => {
    expect(findTightest(reservation, reservationId, "requests")).toEqual({
      limit: 3,
      remaining: 2,
      resetsAt: now + 60_000,
    });
    expect(findTightest(reservation, reservationId, "tokens")).toMatchObject({ limit: 1_000, remaining: 700 });
    const none = planReservation([], bounds, terms);
    expect(findTightest(none, counters.reserve(none.call) as CounterReservation, "requests")).toBeUndefined();
  });

  it("is told for display, used-up limits included", () => {
    counters.settle(reservationId, chargeReservation(reservation, { requests: 1, tokens: 50, cost: 10_000_000 }), now);
    const names = limits.map(({ counter }) => counter);
    const told = usageOfLimits(limits, counters.read(names, now) as readonly CounterReading[], now);
    expect(told.map(({ unit, used, left, is_used_up }) => `${unit} ${used} ${left} ${is_used_up}`)).toEqual([
      "requests 1 2 false",
      "requests 1 4 false",
      "tokens 50 950 false",
      "cost 0.01 0.99 false",
      "cost 0.01 0 true",
    ]);
    expect(told.at(-1)).toMatchObject({ max_nano: 10_000_000, used_nano: 10_000_000, reserved_nano: 0, left_nano: 0 });
    expect(told[0]).not.toHaveProperty("used_nano");
  });

  it("is all left before the first use; only calendar windows know their end", () => {
    const untouched = usageOfLimits(limits, [], now);
    expect(untouched.map(({ used, resets_at }) => [used, resets_at])).toEqual([
      [0, undefined],
      [0, undefined],
      [0, undefined],
      [0, undefined],
      [0, Date.parse("2026-12-01T00:00:00Z")],
    ]);
  });
});
