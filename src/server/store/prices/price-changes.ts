import type { Rates } from "../../../engine/api/rates.ts";

/** Rates by `provider/model`. */
export type RatesByModel = ReadonlyMap<string, Rates>;

/** A rate that two lists state differently; `undefined` where a list does not have it. US dollars per unit. */
export interface RateChange {
  readonly model: string;
  readonly rate: string;
  readonly a: number | undefined;
  readonly b: number | undefined;
}

/** How two lists differ. Work grows with their lengths. */
export interface PriceChanges {
  /** Models that only the first list has, and only the second. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Of the models that both have. */
  readonly changed: readonly RateChange[];
}

/** Compares two lists; rates that are the same to one in a million are the same. */
export function comparePrices(a: RatesByModel, b: RatesByModel): PriceChanges {
  const both = [...a].filter(([model]) => b.has(model));
  return {
    removed: [...a.keys()].filter((model) => !b.has(model)).sort(),
    added: [...b.keys()].filter((model) => !a.has(model)).sort(),
    changed: both.flatMap(([model, rates]) => compareRates(model, rates, b.get(model) as Rates)),
  };
}

function compareRates(model: string, a: Rates, b: Rates): RateChange[] {
  const [first, second] = [flatten(a), flatten(b)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .map((rate) => ({ model, rate, a: first.get(rate), b: second.get(rate) }))
    .filter((change) => !isSame(change.a, change.b));
}

/** Fees by size are a rate each. */
function flatten(rates: Rates): Map<string, number> {
  const entries = Object.entries(rates).flatMap(([name, rate]): [string, number][] => {
    if (typeof rate === "number") return [[name, rate]];
    if (typeof rate !== "object" || rate === null) return [];
    return Object.entries(rate).map(([size, fee]) => [`${name}.${size}`, Number(fee)]);
  });
  return new Map(entries);
}

function isSame(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
}
