import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { Usage } from "../../../../src/engine/api/usage.ts";
import { priceUsage } from "../../../../src/engine/metering/cost.ts";
import type { SearchContextSize } from "../../../../src/engine/metering/rates.ts";

/** One bill worked out by hand: prices as the vendor's page writes them, amounts in nano-dollars. */
interface GoldenCase {
  readonly title: string;
  readonly model: string;
  readonly at: string;
  readonly rule: string;
  readonly arithmetic: string;
  /** What of it has no price; nothing unless given. */
  readonly unpriced?: readonly string[];
  readonly usage: unknown;
  readonly service_tier?: string;
  readonly search_context_size?: SearchContextSize;
  readonly queries?: number;
  readonly items: readonly {
    unit: string;
    quantity: number;
    price: string;
    per: keyof typeof unitsPer;
    amount: number;
  }[];
  readonly total: number;
}

const unitsPer = { million: 1_000_000n, thousand: 1_000n, one: 1n };

const folder = new URL("../../../fixtures/prices/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const cases = files.flatMap((file) => {
  const { cases } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { cases: GoldenCase[] };
  return cases.map((each) => [`${file.replace(".json", "")}: ${each.title}`, each] as const);
});

/** Pico-dollars per unit of a price on a page. */
function toPicos(price: string, per: keyof typeof unitsPer): bigint {
  const [whole = "0", fraction = ""] = price.split(".");
  const picos = BigInt(whole + fraction) * 10n ** BigInt(12 - fraction.length);
  expect(picos % unitsPer[per]).toBe(0n);
  return picos / unitsPer[per];
}

const prices = catalogue();

function billOf({ model, at, usage, service_tier, search_context_size, queries }: GoldenCase) {
  const slash = model.indexOf("/");
  const facts = prices.find(model.slice(0, slash), model.slice(slash + 1), Date.parse(at));
  const consumption = {
    usage: Usage.parse(usage),
    serviceTier: service_tier,
    searchContextSize: search_context_size,
    counts: queries === undefined ? undefined : { queries },
  };
  return facts?.rates && priceUsage(consumption, facts.rates);
}

describe("bills worked out by hand", () => {
  it("are at least thirty", () => expect(cases.length).toBeGreaterThanOrEqual(30));

  it.each(cases)("%s: its own arithmetic is right", (_, { items, total, arithmetic, rule }) => {
    for (const { quantity, price, per, amount } of items)
      expect(BigInt(amount)).toBe((BigInt(quantity) * toPicos(price, per) + 500n) / 1_000n);
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    expect(arithmetic.length * rule.length).toBeGreaterThan(0);
  });

  it.each(cases)("%s: the catalogue and the bill agree to the nano-dollar", (_, golden) => {
    const bill = billOf(golden);
    const expected = golden.items.map(({ unit, quantity, price, per, amount }) => ({
      unit,
      quantity,
      rate: Number(toPicos(price, per)),
      amount,
    }));
    expect(bill?.items.map(({ basis: _basis, ...item }) => item)).toEqual(expected);
    expect(bill?.total).toBe(golden.total);
    expect(bill?.unpriced).toEqual(golden.unpriced ?? []);
  });

  it.each(cases)("%s: the cost object is the bill in dollars", (_, golden) => {
    const bill = billOf(golden);
    const { total_cost, ...parts } = bill?.cost ?? { total_cost: Number.NaN };
    expect(Math.round(total_cost * 1e9)).toBe(golden.total);
    const nanos = Object.values(parts).map((part) => Math.round(Number(part) * 1e9));
    expect(nanos.reduce((sum, part) => sum + part, 0)).toBe(golden.total);
  });
});
