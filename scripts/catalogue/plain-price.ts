import type { ListedPrice } from "./public-lists.ts";

/** Dollars per million tokens: input, output, cached reads; what is not stated is `undefined`. */
export type PlainPrice = readonly [input: number | undefined, output: number | undefined, cached: number | undefined];

/** A price of a list that is not the catalogue's, with what helps to tell why. */
export interface ListDifference {
  readonly listed: ListedPrice;
  readonly theirs: PlainPrice;
  /** The catalogue's; `undefined` where it does not know the model or its price. */
  readonly ours: PlainPrice | undefined;
  readonly mode: string | undefined;
  /** The catalogue's price of this model on other days and at other hours. */
  readonly otherTimes: readonly PlainPrice[];
  /** What other sellers take for a model of this name, by the catalogue. */
  readonly otherSellers: readonly PlainPrice[];
  /** What the price map of November 2026 says, and the other list. */
  readonly witnesses: readonly PlainPrice[];
  /** The vendor has taken the model from sale, by the price map. */
  readonly isRetired: boolean;
}

/** True when two prices are the same; a cached price counts only where both state one. */
export function isSamePrice(a: PlainPrice, b: PlainPrice): boolean {
  return isNear(a[0], b[0]) && isNear(a[1], b[1]) && (a[2] === undefined || b[2] === undefined || isNear(a[2], b[2]));
}

/** True of two rates within one in ten thousand; free and not stated are the same. */
export function isNear(a = 0, b = 0): boolean {
  return Math.abs(a - b) <= 1e-4 * Math.max(a, b);
}
