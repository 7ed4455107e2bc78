import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rates, rateNames } from "../../../../src/engine/api/rates.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { type Bill, type BilledUsage, priceUsage } from "../../../../src/engine/metering/cost.ts";
import { priceSheet } from "../../../../src/engine/metering/rates.ts";

const count = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 600_000 }));
// Four orders of magnitude, as real prices have: rates that are millions of times each other are no price list.
const dollars = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 10_000, max: 100_000_000 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  )
  .map((picos) => picos / 1e12);

const anyRates: fc.Arbitrary<Rates> = fc
  .dictionary(fc.constantFrom(...rateNames), dollars, { maxKeys: 25 })
  .chain((rates) =>
    fc
      .record({ input: dollars, output: dollars })
      .map(({ input, output }) => ({ ...rates, input_cost_per_token: input, output_cost_per_token: output })),
  );

/** Usage as providers may claim it: details need not fit their parent. */
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: fc.record(
      {
        audio_tokens: count,
        image_tokens: count,
        cached_read_tokens: count,
        cached_write_tokens: count,
        cached_write_tokens_1h: count,
        cached_read_image_tokens: count,
        cached_read_audio_tokens: count,
        cached_write_audio_tokens: count,
      },
      { requiredKeys: [] },
    ),
    completion_tokens_details: fc.record(
      {
        reasoning_tokens: count,
        citation_tokens: count,
        audio_tokens: count,
        image_tokens: count,
        num_search_queries: fc.nat(20),
      },
      { requiredKeys: [] },
    ),
  })
  .map((usage) => ({ ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens }));

const anyConsumption: fc.Arbitrary<BilledUsage> = fc.record({
  usage: anyUsage,
  serviceTier: fc.constantFrom(undefined, null, "default", "priority", "flex", "batch"),
  searchContextSize: fc.constantFrom(undefined, "low" as const, "high" as const),
  counts: fc.record(
    { queries: fc.nat(9), input_images: fc.nat(9), input_seconds: fc.double({ min: 0, max: 100, noNaN: true }) },
    { requiredKeys: [] },
  ),
});

/** Nano-dollars that no bill of this can pass: a bill that holds less must be there. */
function mostOf({ usage, serviceTier, counts }: BilledUsage, rates: Rates): number {
  const prices = Object.values(priceSheet(rates, usage.prompt_tokens, serviceTier));
  const dearest = Math.max(...prices.map((price) => price?.rate ?? 0));
  const others = Object.values(counts ?? {}).reduce<number>((sum, quantity) => sum + Number(quantity ?? 0), 100);
  return (dearest * (usage.total_tokens + others)) / 1_000;
}

function check(rule: (bill: Bill, consumption: BilledUsage, rates: Rates) => boolean): void {
  fc.assert(
    fc.property(anyConsumption, anyRates, (consumption, rates) => {
      const bill = priceUsage(consumption, rates);
      if (bill) return rule(bill, consumption, rates);
      expect(mostOf(consumption, rates)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
      return fc.pre(false); // refused rightly; too many such cases fail
    }),
    { numRuns: 400 },
  );
}

const sumOf = (bill: Bill, units: RegExp) =>
  bill.items.filter(({ unit }) => units.test(unit)).reduce((sum, { quantity }) => sum + quantity, 0);

describe("for any usage and any rates", () => {
  it("line items sum to the total, to the nano-dollar", () => {
    check(({ items, total }) => items.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === BigInt(total));
  });

  it("an amount is its quantity times its rate, rounded half up once", () => {
    check(({ items }) =>
      items.every(({ quantity, rate, amount }) => BigInt(amount) === (BigInt(quantity) * BigInt(rate) + 500n) / 1_000n),
    );
  });

  it("the parts of the cost object sum to its total", () => {
    check(({ cost: { total_cost, ...parts } }) => {
      const nanos = Object.values(parts).reduce<number>((sum, part) => sum + Math.round(Number(part) * 1e9), 0);
      return nanos === Math.round(total_cost * 1e9);
    });
  });

  it("every prompt token is billed exactly once", () => {
    check((bill, { usage }) => sumOf(bill, /^(input|cached)_.*tokens(_1h)?$/) === usage.prompt_tokens);
  });

  it("every completion token is billed exactly once", () => {
    check((bill, { usage }) => sumOf(bill, /^(output|reasoning|citation).*tokens$/) === usage.completion_tokens);
  });

  it("nothing of quantity 0 is on the bill, and nothing twice", () => {
    check(
      ({ items }) =>
        items.every(({ quantity }) => quantity > 0) && new Set(items.map(({ unit }) => unit)).size === items.length,
    );
  });

  it("what is unpriced is not on the bill", () => {
    check(({ items, unpriced }) => unpriced.every((unit) => items.every((item) => item.unit !== unit)));
  });

  it("a bill is a function of what it is made from", () => {
    check((bill, consumption, rates) => {
      expect(priceUsage(structuredClone(consumption), structuredClone(rates))).toEqual(bill);
      return true;
    });
  });

  it("tokens without a rate are never $0", () => {
    fc.assert(
      fc.property(anyUsage, anyRates, (usage, rates) => {
        const known = Object.entries(rates).filter(([name]) => !/^output_cost_per_token|_per_request$/.test(name));
        const { completion_tokens_details: _details, ...plain } = usage;
        const bill = priceUsage({ usage: plain }, Object.fromEntries(known));
        return usage.completion_tokens === 0 ? bill !== undefined : bill === undefined;
      }),
    );
  });

  it("a plain rate that is half in a service tier halves the rates that it does not state", () => {
    fc.assert(
      fc.property(anyUsage, anyRates, (usage, all) => {
        const rates = Object.fromEntries(Object.entries(all).filter(([name]) => !/_batches$/.test(name)));
        const half = (name: string) => Math.floor((Number(rates[name]) * 1e12) / 2) / 1e12;
        const batches = {
          input_cost_per_token_batches: half("input_cost_per_token"),
          output_cost_per_token_batches: half("output_cost_per_token"),
        };
        const whole = new Map(priceUsage({ usage }, rates)?.items.map(({ unit, rate }) => [unit, rate]));
        const billed = priceUsage({ usage, serviceTier: "batch" }, { ...rates, ...batches })?.items ?? [];
        return billed.every(({ unit, rate, basis }) => {
          if (!basis.includes("÷")) return true;
          // An odd plain rate loses half a step of ten thousand or more when it is halved.
          return Math.abs(rate - (whole.get(unit) ?? 0) / 2) <= 1 + rate * 1e-4;
        });
      }),
    );
  });

  it("a tier that only another rate states changes no price: what it does not state holds as in the tier below", () => {
    fc.assert(
      fc.property(anyRates, fc.constantFrom(undefined, "priority", "flex", "batch"), (all, serviceTier) => {
        const rates = Object.fromEntries(Object.entries(all).filter(([name]) => !/_above_2\d\dk_/.test(name)));
        const other = { ...rates, input_cost_per_second_above_200k_tokens: 0.5 };
        const { input_seconds: _own, ...prices } = priceSheet(other, 300_000, serviceTier);
        expect(priceSheet(rates, 300_000, serviceTier)).toMatchObject(prices);
      }),
    );
  });

  it("a bill beyond nine million dollars is unknown", () => {
    const usage = { prompt_tokens: 10_000_000, completion_tokens: 0, total_tokens: 10_000_000 };
    expect(priceUsage({ usage }, { input_cost_per_token: 0.9 })?.total).toBe(9_000_000_000_000_000);
    expect(priceUsage({ usage }, { input_cost_per_token: 0.91 })).toBeUndefined();
  });
});
