import { describe, expect, it } from "vitest";
import { sumUsages } from "../../../../src/engine/metering/counts.ts";

describe("usage of several answers", () => {
  const usage = (tokens: number) => ({
    prompt_tokens: tokens,
    completion_tokens: 0,
    total_tokens: tokens,
    prompt_tokens_details: { text_tokens: tokens },
    search_units: 1,
    tier: "fast",
  });

  it("is the sum of its counts and of their details; what is no number is as the first says", () => {
    expect(sumUsages([usage(1), usage(2), { ...usage(4), tier: "slow" }])).toEqual({ ...usage(7), search_units: 3 });
  });

  it("has the counts that only some of them have", () => {
    const { search_units: _units, prompt_tokens_details: _details, ...bare } = usage(1);
    expect(sumUsages([bare, usage(2)])).toEqual({ ...usage(3), prompt_tokens_details: { text_tokens: 2 } });
    expect(sumUsages([usage(2), bare])).toEqual({ ...usage(3), prompt_tokens_details: { text_tokens: 2 } });
  });

  it("has no cost: each is billed by itself", () => {
    const priced = { ...usage(1), cost: { total_cost: 1 } };
    expect(sumUsages([priced])).toEqual(usage(1));
    expect(sumUsages([priced, priced])).not.toHaveProperty("cost");
  });

  it("is unknown when that of one is, or when there is none", () => {
    expect(sumUsages([usage(1), undefined])).toBeUndefined();
    expect(sumUsages([])).toBeUndefined();
  });
});
