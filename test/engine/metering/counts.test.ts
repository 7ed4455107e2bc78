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

describe("what is counted beside tokens", () => {
  const bySize = { search_context_size_low: 0.005, search_context_size_high: 0.014 };

  it("searches are billed by how much context they bring; a missing size costs what the next one does", () => {
    const search = { ...plain, search_context_cost_per_query: bySize };
    const fee = (size: "low" | "medium" | "high") => itemsOf({ usage: tokens(0, 0), searchContextSize: size }, search);
    expect(fee("low")).toEqual([["search_queries", 1, 5_000_000_000, 5_000_000]]);
    expect(fee("medium")).toEqual(fee("high"));
    const counted = tokens(0, 0, { completion_tokens_details: { num_search_queries: 3 }, search_context_size: "low" });
    expect(itemsOf({ usage: counted }, search)).toEqual([["search_queries", 3, 5_000_000_000, 15_000_000]]);
  });

  it("searches without a price are named, and the tokens still billed", () => {
    const bill = priceUsage({ usage: tokens(10, 0, { completion_tokens_details: { num_search_queries: 2 } }) }, plain);
    expect(bill).toMatchObject({ unpriced: ["search_queries"], total: 25_000 });
  });

  it("each request costs its fee", () => {
    expect(priceUsage({ usage: tokens(1_000, 0) }, { ...plain, input_cost_per_request: 0.01 })?.cost).toEqual({
      input_tokens_cost: 0.0025,
      request_cost: 0.01,
      total_cost: 0.0125,
    });
  });

  it("a reranking is billed by the query, and its tokens are not, where the model charges by the query", () => {
    const rates = { input_cost_per_query: 0.002 };
    expect(itemsOf({ usage: tokens(900, 0), counts: { queries: 3 } }, rates)).toEqual([
      ["queries", 3, 2_000_000_000, 6_000_000],
    ]);
    expect(itemsOf({ usage: tokens(900, 0, { search_units: 2 }) }, rates)?.[0]?.[1]).toBe(2);
    expect(priceUsage({ usage: tokens(900, 0) }, rates)).toBeUndefined();
  });

  it("a begun unit counts whole", () => {
    expect(
      itemsOf({ usage: tokens(0, 0), counts: { input_seconds: 12.2 } }, { input_cost_per_second: 0.0001 }),
    ).toEqual([["input_seconds", 13, 100_000_000, 1_300_000]]);
  });

  it("an image costs what its quality does, else its size, else any image", () => {
    const rates: Rates = {
      output_cost_per_image: 0.02,
      output_cost_per_image_high_quality: 0.19,
      output_cost_per_image_above_512_and_512_pixels: 0.03,
      output_cost_per_image_above_1024_and_1024_pixels: 0.04,
    };
    const cost = (images: BilledUsage["images"]) => priceUsage({ usage: tokens(0, 0), images }, rates)?.cost.total_cost;
    expect(cost({ count: 2, quality: "high", side: 2_000 })).toBe(0.38);
    expect(cost({ count: 1, quality: "low", side: 2_000 })).toBe(0.04);
    expect(cost({ count: 1, side: 1_024 })).toBe(0.03);
    expect(cost({ count: 1 })).toBe(0.02);
  });
});
