import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecordLimits, readLimits, writeLimits } from "../../../../src/cli/records/limits/limits.ts";
import { Budget, RateLimit } from "../../../../src/engine/api/governance.ts";

const none: RecordLimits = { budgets: [], rate_limits: [] };
const windows = ["1m", "1h", "1d", "1w", "1M", "1Q", "1Y"] as const;

describe("limits of the command line", () => {
  it("are budgets and rates per window", () => {
    const limits = readLimits({ budget: ["10/1M", "$0.5/d"], hard: true, requests: ["60/1m"], tokens: ["100000/1h"] });
    expect(limits).toEqual({
      budgets: [
        { max_limit: 10, reset_duration: "1M", enforcement: "hard", calendar_aligned: false },
        { max_limit: 0.5, reset_duration: "1d", enforcement: "hard", calendar_aligned: false },
      ],
      rate_limits: [
        { request_max_limit: 60, request_reset_duration: "1m" },
        { token_max_limit: 100_000, token_reset_duration: "1h" },
      ],
    });
    expect(writeLimits(limits)).toEqual([
      "$10 per 1M (hard)",
      "$0.5 per 1d (hard)",
      "60 requests per 1m",
      "100000 tokens per 1h",
    ]);
  });

  it.each(["hard", "soft", "calendar", "rolling"])("are not %s without a budget: rates have no such trait", (trait) => {
    expect(() => readLimits({ requests: ["3/1d"], [trait]: true })).toThrow(
      `--${trait} applies to budgets, but there is no --budget.`,
    );
  });

  it("are what records take, whatever is given", () => {
    const allowance = fc
      .tuple(fc.nat(1_000_000), fc.constantFrom(...windows))
      .map(([amount, window]) => `${amount}/${window}`);
    const list = fc.array(allowance, { maxLength: 9 });
    fc.assert(
      fc.property(fc.record({ budget: list, requests: list, tokens: list, calendar: fc.boolean() }), (values) => {
        const { budgets, rate_limits } = readLimits(values);
        for (const each of budgets) expect(Budget.safeParse(each).success).toBe(true);
        for (const each of rate_limits) expect(RateLimit.safeParse(each).success).toBe(true);
        expect(budgets.length).toBe(new Set(values.budget.map((text) => text.split("/")[1])).size);
      }),
    );
  });

  const present = readLimits({
    budget: ["1/1d", "9/1M"],
    hard: true,
    calendar: true,
    requests: ["5/1m"],
    tokens: ["7/1m"],
  });

  it("take the place of the one with the same window, keep its nature, and leave the others alone", () => {
    const { budgets, rate_limits } = readLimits({ budget: ["2/1d"] }, present);
    expect(writeLimits({ budgets, rate_limits })).toEqual([
      "$2 per 1d (hard, calendar)",
      "$9 per 1M (hard, calendar)",
      "5 requests per 1m",
      "7 tokens per 1m",
    ]);
    expect(writeLimits(readLimits({ budget: ["2/1d"], soft: true, rolling: true }, present))[0]).toBe("$2 per 1d");
    expect(writeLimits(readLimits({ requests: ["6/1m", "8/1h"] }, present)).slice(2)).toEqual([
      "6 requests per 1m",
      "8 requests per 1h",
      "7 tokens per 1m",
    ]);
  });

  it("leave limits of other windows alone, whatever they are: also several of one window", () => {
    const budget = fc.record({
      max_limit: fc.nat(1_000),
      reset_duration: fc.constantFrom(...windows),
      calendar_aligned: fc.boolean(),
      enforcement: fc.constantFrom("hard" as const, "soft" as const),
    });
    const anyGiven = fc.array(
      fc.constantFrom(...windows).map((window) => `5/${window}`),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.array(budget, { maxLength: 6 }), anyGiven, (budgets, given) => {
        const limits = readLimits({ budget: given, requests: ["1/1m"] }, { budgets, rate_limits: [] });
        const told = given.map((text) => text.slice(2));
        const isLeft = ({ reset_duration }: Budget) => !told.includes(reset_duration);
        expect(limits.budgets.filter(isLeft)).toEqual(budgets.filter(isLeft));
        expect(limits.budgets.filter((each) => !isLeft(each))).toHaveLength(new Set(told).size);
      }),
    );
  });

  it("are taken away by none, one window or all", () => {
    expect(writeLimits(readLimits({ budget: ["none/1d"] }, present))[0]).toBe("$9 per 1M (hard, calendar)");
    expect(readLimits({ budget: ["none"], requests: ["none"], tokens: ["none"] }, present)).toEqual(none);
    expect(writeLimits(readLimits({ budget: ["none", "3/1w"] }, present))[0]).toBe("$3 per 1w");
  });

  it("both halves of one rate limit are limits of their own", () => {
    const both = [
      { request_max_limit: 1, request_reset_duration: "1m", token_max_limit: 2, token_reset_duration: "1h" },
    ] as const;
    expect(writeLimits(readLimits({ requests: ["3/1m"] }, { budgets: [], rate_limits: both }))).toEqual([
      "3 requests per 1m",
      "2 tokens per 1h",
    ]);
  });

  it.each([
    [{ budget: ["10"] }, '--budget must be an amount per window, such as 10/1M, not "10".'],
    [{ budget: ["10/2d"] }, '--budget must be an amount per window, such as 10/1M, not "10/2d".'],
    [{ budget: ["-1/1d"] }, '--budget must be an amount per window, such as 10/1M, not "-1/1d".'],
    [{ requests: ["-1/1m"] }, '--requests must be an amount per window, such as 60/1m, not "-1/1m".'],
    [{ requests: ["1.5/1d"] }, "--requests must be a whole number per window, such as 60/1m, not 1.5."],
    [{ budget: ["1/1d"], hard: true, soft: true }, "--hard and --soft cannot be combined."],
    [{ calendar: true, rolling: true }, "--calendar and --rolling cannot be combined."],
  ])("that are none are refused: %j", (values, message) => {
    expect(() => readLimits(values)).toThrow(message);
  });
});
