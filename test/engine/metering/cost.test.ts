import { describe, expect, it } from "vitest";
import type { Rates } from "../../../src/engine/api/rates.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { type BilledUsage, priceUsage } from "../../../src/engine/metering/cost.ts";

const million = 1e-6;

/** Tokens as on the wire. */
function tokens(prompt: number, completion: number, details: Partial<Usage> = {}): Usage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

function itemsOf(consumption: BilledUsage, rates: Rates) {
  return priceUsage(consumption, rates)?.items.map(({ unit, quantity, rate, amount }) => [
    unit,
    quantity,
    rate,
    amount,
  ]);
}

const plain: Rates = { input_cost_per_token: 2.5 * million, output_cost_per_token: 10 * million };

describe("a bill", () => {
  it("has one item per kind of token, in nano-dollars, and shows dollars by purpose", () => {
    expect(priceUsage({ usage: tokens(1_000, 200) }, plain)).toEqual({
      items: [
        { unit: "input_tokens", quantity: 1_000, rate: 2_500_000, amount: 2_500_000, basis: "input_cost_per_token" },
        { unit: "output_tokens", quantity: 200, rate: 10_000_000, amount: 2_000_000, basis: "output_cost_per_token" },
      ],
      total: 4_500_000,
      cost: { input_tokens_cost: 0.0025, output_tokens_cost: 0.002, total_cost: 0.0045 },
      unpriced: [],
    });
  });

  it("has nothing on it for what was not consumed", () => {
    expect(itemsOf({ usage: tokens(10, 0) }, plain)).toEqual([["input_tokens", 10, 2_500_000, 25_000]]);
  });

  it("is unknown, not $0, when the model has no rates at all", () => {
    expect(priceUsage({ usage: tokens(10, 5) }, {})).toBeUndefined();
  });

  it("is unknown when one side of the answer has no rate", () => {
    expect(priceUsage({ usage: tokens(10, 5) }, { input_cost_per_token: million })).toBeUndefined();
    expect(priceUsage({ usage: tokens(10, 0) }, { input_cost_per_token: million })?.total).toBe(10_000);
    expect(priceUsage({ usage: tokens(10, 5) }, { output_cost_per_token: million })).toBeUndefined();
  });

  it("is $0 when the model is free", () => {
    expect(priceUsage({ usage: tokens(10, 5) }, { input_cost_per_token: 0, output_cost_per_token: 0 })?.cost).toEqual({
      input_tokens_cost: 0,
      output_tokens_cost: 0,
      total_cost: 0,
    });
  });
});

describe("cached tokens", () => {
  const usage = tokens(10_000, 0, { prompt_tokens_details: { cached_read_tokens: 6_000, cached_write_tokens: 3_000 } });

  it("are billed at their own rates, the rest of the prompt at the plain one", () => {
    const rates = {
      ...plain,
      cache_read_input_token_cost: 0.25 * million,
      cache_creation_input_token_cost: 3 * million,
    };
    expect(itemsOf({ usage }, rates)).toEqual([
      ["input_tokens", 1_000, 2_500_000, 2_500_000],
      ["cached_read_tokens", 6_000, 250_000, 1_500_000],
      ["cached_write_tokens", 3_000, 3_000_000, 9_000_000],
    ]);
  });

  it("are billed as plain input where the model has no rate for them, and the item says so", () => {
    const bill = priceUsage({ usage }, plain);
    expect(bill?.total).toBe(25_000_000);
    expect(bill?.items[1]?.basis).toBe("input_cost_per_token (no cache_read_input_token_cost)");
  });

  it("kept for an hour are billed at that rate, which falls back to the five-minute one", () => {
    const forHour = { cached_write_tokens: 3_000, cached_write_tokens_1h: 1_000 };
    const rates = { ...plain, cache_creation_input_token_cost: 3 * million };
    const hour = { ...rates, cache_creation_input_token_cost_above_1hr: 5 * million };
    const written = tokens(3_000, 0, { prompt_tokens_details: forHour });
    expect(itemsOf({ usage: written }, hour)).toEqual([
      ["cached_write_tokens", 2_000, 3_000_000, 6_000_000],
      ["cached_write_tokens_1h", 1_000, 5_000_000, 5_000_000],
    ]);
    expect(priceUsage({ usage: written }, rates)?.total).toBe(9_000_000);
  });

  it("of sound and images are part of those counted as sound and images, of which the rest is fresh", () => {
    const kinds = tokens(1_000, 0, {
      prompt_tokens_details: {
        cached_read_tokens: 300,
        cached_read_audio_tokens: 70,
        cached_read_image_tokens: 50,
        cached_write_tokens: 200,
        cached_write_audio_tokens: 90,
        audio_tokens: 400,
        image_tokens: 80,
      },
    });
    expect(itemsOf({ usage: kinds }, plain)?.map(([unit, quantity]) => [unit, quantity])).toEqual([
      ["input_tokens", 500 - 240 - 30],
      ["input_audio_tokens", 400 - 70 - 90],
      ["input_image_tokens", 80 - 50],
      ["cached_read_tokens", 300 - 50 - 70],
      ["cached_read_audio_tokens", 70],
      ["cached_read_image_tokens", 50],
      ["cached_write_tokens", 200 - 90],
      ["cached_write_audio_tokens", 90],
    ]);
  });

  it("never exceed the prompt, whatever a provider claims", () => {
    const claimed = tokens(100, 0, {
      prompt_tokens_details: { cached_read_tokens: 80, cached_write_tokens: 80, audio_tokens: 80 },
    });
    expect(itemsOf({ usage: claimed }, plain)?.map(([unit, quantity]) => [unit, quantity])).toEqual([
      ["cached_read_tokens", 80],
      ["cached_write_tokens", 20],
    ]);
  });
});

describe("parts of the completion", () => {
  const details = { reasoning_tokens: 600, audio_tokens: 100, image_tokens: 50, citation_tokens: 40 };
  const usage = tokens(0, 1_000, { completion_tokens_details: details });

  it("are billed once, at their own rates", () => {
    const rates = {
      ...plain,
      output_cost_per_reasoning_token: 3 * million,
      output_cost_per_audio_token: 20 * million,
      output_cost_per_image_token: 30 * million,
      citation_cost_per_token: 2 * million,
    };
    const bill = priceUsage({ usage }, rates);
    expect(bill?.items.map(({ unit, quantity, amount }) => [unit, quantity, amount])).toEqual([
      ["output_tokens", 210, 2_100_000],
      ["reasoning_tokens", 600, 1_800_000],
      ["citation_tokens", 40, 80_000],
      ["output_audio_tokens", 100, 2_000_000],
      ["output_image_tokens", 50, 1_500_000],
    ]);
    expect(bill?.cost).toEqual({
      output_tokens_cost: 0.0056,
      reasoning_tokens_cost: 0.0018,
      citation_tokens_cost: 0.00008,
      total_cost: 0.00748,
    });
  });

  it("are billed as output where the model has no rate for them", () => {
    expect(priceUsage({ usage }, plain)?.total).toBe(10_000_000);
  });
});

describe("tiers of the prompt", () => {
  const tiered: Rates = {
    input_cost_per_token: 3 * million,
    output_cost_per_token: 15 * million,
    cache_read_input_token_cost: 0.3 * million,
    cache_creation_input_token_cost_above_1hr: 6 * million,
    input_cost_per_token_above_200k_tokens: 6 * million,
    output_cost_per_token_above_200k_tokens: 22.5 * million,
  };
  const usageOf = (prompt: number) =>
    tokens(prompt, 1_000, {
      prompt_tokens_details: {
        cached_read_tokens: 100_000,
        cached_write_tokens: 50_000,
        cached_write_tokens_1h: 50_000,
      },
    });

  it("begin above the threshold, not at it", () => {
    expect(itemsOf({ usage: usageOf(200_000) }, tiered)?.map((item) => item[2])).toEqual([
      3_000_000, 300_000, 6_000_000, 15_000_000,
    ]);
  });

  it("move the whole request, output and cache lines included; unstated cache rates follow the input rate", () => {
    expect(itemsOf({ usage: usageOf(200_001) }, tiered)?.map((item) => item[2])).toEqual([
      6_000_000, 600_000, 12_000_000, 22_500_000,
    ]);
  });

  it("are as many as the model states", () => {
    const many = {
      ...plain,
      input_cost_per_token_above_128k_tokens: 5 * million,
      input_cost_per_token_above_272k_tokens: 7 * million,
    };
    const rateAt = (prompt: number) => itemsOf({ usage: tokens(prompt, 0) }, many)?.[0]?.[2];
    expect([128_000, 128_001, 272_000, 272_001].map(rateAt)).toEqual([2_500_000, 5_000_000, 5_000_000, 7_000_000]);
  });
});

describe("service tiers", () => {
  const rates: Rates = {
    ...plain,
    cache_read_input_token_cost: 1.25 * million,
    input_cost_per_token_priority: 4.25 * million,
    output_cost_per_token_priority: 17 * million,
    cache_read_input_token_cost_priority: 2 * million,
    input_cost_per_token_batches: 1.25 * million,
    output_cost_per_token_batches: 5 * million,
    input_cost_per_token_above_200k_tokens: 5 * million,
  };
  const usage = tokens(2_000, 100, { prompt_tokens_details: { cached_read_tokens: 1_000 } });
  const ratesAs = (serviceTier: string | null, served = usage) =>
    itemsOf({ usage: served, serviceTier }, rates)?.map((item) => item[2]);

  it("pick their variants", () => expect(ratesAs("priority")).toEqual([4_250_000, 2_000_000, 17_000_000]));
  it("scale what has no variant as the plain rate is", () =>
    expect(ratesAs("batch")).toEqual([1_250_000, 625_000, 5_000_000]));
  it("are standard where the model has no variant, or the name means nothing", () => {
    for (const name of ["flex", "default", "auto", null])
      expect(ratesAs(name)).toEqual([2_500_000, 1_250_000, 10_000_000]);
  });
  it("compose with the tiers of the prompt, and the item says how", () => {
    const long = tokens(300_000, 0);
    expect(ratesAs("batch", long)).toEqual([2_500_000]);
    expect(priceUsage({ usage: long, serviceTier: "batch" }, rates)?.items[0]?.basis).toBe(
      "input_cost_per_token_above_200k_tokens × input_cost_per_token_batches ÷ input_cost_per_token",
    );
  });

  it("take a combination that the model states as a whole", () => {
    const stated: Rates = {
      ...rates,
      input_cost_per_token_above_200k_tokens_priority: 20 * million,
      cache_read_input_token_cost_priority: undefined,
    };
    const long = tokens(300_000, 0, { prompt_tokens_details: { cached_read_tokens: 300_000 } });
    // The cached rate is half the plain one, and the plain one becomes eight times as much.
    expect(itemsOf({ usage: long, serviceTier: "priority" }, stated)?.map((item) => item[2])).toEqual([10_000_000]);
  });
});
