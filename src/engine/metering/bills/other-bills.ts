import type { Rates } from "../../api/rates.ts";
import { type Bill, type BilledUsage, priceUsage, toCost } from "../cost.ts";
import { type NanoDollars, picoPerNano } from "../money.ts";
import type { VendorCost } from "./vendor-cost.ts";

/** The bill of a call whose price could not be worked out: all that was reserved for it, a nano-dollar at a time. */
export function billReserved(amount: NanoDollars): Bill {
  const basis = "reserved for the call, whose price could not be worked out";
  const item = { unit: "reserved", quantity: amount, rate: picoPerNano, amount, basis };
  return {
    items: amount === 0 ? [] : [item],
    total: amount,
    cost: toCost({ parts: {}, total: amount }),
    unpriced: ["input_tokens", "output_tokens"],
  };
}

/**
 * The bill that a vendor states, a nano-dollar at a time. What our own prices would have made of the answer stands beside it as a line
 * that costs nothing: `catalogue_cost`, whose quantity is that amount in nano-dollars.
 */
export function billVendor({ total, parts }: VendorCost, own: Bill | undefined): Bill {
  const stated = { unit: "vendor_cost", quantity: total, rate: picoPerNano, amount: total, basis: "vendor" };
  const check = { unit: "catalogue_cost", quantity: own?.total ?? 0, rate: 0, amount: 0, basis: "cross-check" };
  const cost = toCost({ parts: {}, total });
  return { items: [stated, ...(own ? [check] : [])], total, cost: { ...parts, ...cost }, unpriced: [] };
}

/** The bill of a model that a router chose, and the router's fee; without a price of that model only the fee, and the rest unpriced. */
export function billRouted(fee: Bill | undefined, served: Bill | undefined): Bill | undefined {
  if (!fee) return served;
  const named = fee.items.map((item) => ({ ...item, basis: `router: ${item.basis}` }));
  if (!served) return { ...fee, items: named, unpriced: ["input_tokens", "output_tokens"] };
  const total = served.total + fee.total;
  const cost = { ...served.cost };
  for (const [part, dollars] of Object.entries(fee.cost))
    cost[part] = Math.round((Number(cost[part] ?? 0) + Number(dollars)) * 1e9) / 1e9;
  return {
    items: [...served.items, ...named.filter(({ amount }) => amount > 0)],
    total,
    cost,
    unpriced: served.unpriced,
  };
}

/** The bill of what has no price at all, at rates that the operator sets; it stays marked as unpriced. */
export function billSubstitute(consumed: BilledUsage, substitute: Rates): Bill | undefined {
  const bill = priceUsage(consumed, substitute);
  if (!bill) return undefined;
  const items = bill.items.map((item) => ({ ...item, basis: `unpriced: ${item.basis}` }));
  return { ...bill, items, unpriced: ["input_tokens", "output_tokens"] };
}
