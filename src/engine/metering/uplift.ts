import type { NanoDollars } from "./money.ts";

/** What is put on the cost of a provider, in percent; without a provider, on that of all who have no entry of their own. */
export interface Uplift {
  readonly provider?: string | undefined;
  /** Up to four digits behind the point count. */
  readonly percent: number;
}

const partsPerPercent = 10_000;
const whole = BigInt(100 * partsPerPercent);

/** The percentage on a provider's cost: that of its own entry, else that of the entry without a provider, else none. */
export function findPercent(uplifts: readonly Uplift[], provider: string): number {
  const own = uplifts.find((uplift) => uplift.provider === provider);
  return (own ?? uplifts.find((uplift) => uplift.provider === undefined))?.percent ?? 0;
}

/** Cost × (1 + percent), rounded half up to a nano-dollar, exactly however large. */
export function raise(cost: NanoDollars, percent: number): NanoDollars {
  const parts = BigInt(Math.round(percent * partsPerPercent));
  return Number((BigInt(cost) * (whole + parts) + whole / 2n) / whole);
}
