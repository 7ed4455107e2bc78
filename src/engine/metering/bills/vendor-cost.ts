import type { Usage } from "../../api/usage.ts";
import { fromDollars, type NanoDollars } from "../money.ts";

/** What a vendor says that an answer cost. */
export interface VendorCost {
  readonly total: NanoDollars;
  /** Dollars by purpose, under the names of the cost object, as far as the vendor splits them. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Ticks of xAI in a dollar. */
const ticksPerDollar = 1e10;

/**
 * The cost that a vendor states in its usage: a number of dollars or an object with `total_cost` (`upstream_cost`: OpenRouter,
 * Perplexity), or xAI's `cost_in_usd_ticks`. With a key of the caller's own at OpenRouter (`is_byok`) `cost` is OpenRouter's fee alone,
 * and what the vendor behind it charges is added. `undefined` where none is stated, or what is stated is no amount.
 */
export function vendorCost(usage: Usage): VendorCost | undefined {
  const { upstream_cost: stated, cost_in_usd_ticks: ticks, cost_details: details, is_byok: isByok } = usage;
  if (typeof ticks === "number" && isAmount(ticks / ticksPerDollar))
    return { total: fromDollars(ticks / ticksPerDollar), parts: {} };
  const upstream = isByok === true && isRecord(details) ? details.upstream_inference_cost : 0;
  const more = isAmount(upstream) ? upstream : 0;
  if (isAmount(stated)) return { total: fromDollars(stated + more), parts: {} };
  if (!isRecord(stated) || !isAmount(stated.total_cost)) return undefined;
  const parts = Object.entries(stated).filter((entry): entry is [string, number] => isAmount(entry[1]));
  return { total: fromDollars(stated.total_cost + more), parts: Object.fromEntries(parts) };
}

/** Dollars that one answer may cost; more could not be summed exactly. */
const largestCost = 1_000_000;

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= largestCost;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
