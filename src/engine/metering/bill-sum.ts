import type { LineItem } from "../ports/prices.ts";
import { type Bill, toCost } from "./cost.ts";
import { type CostPart, lines, type Unit } from "./lines.ts";
import { add, multiply, type NanoDollars } from "./money.ts";

/**
 * One bill of several, each of which was priced by itself, so that no tier is reached by their sum. Items of one unit and rate are one
 * line, rounded once. `undefined` when the price of one is unknown, or the sum is beyond what can be counted.
 */
export function sumBills(bills: readonly (Bill | undefined)[]): Bill | undefined {
  const known = bills.filter((bill) => bill !== undefined);
  if (known.length < bills.length) return undefined;
  try {
    return addBills(known);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function addBills(bills: readonly Bill[]): Bill {
  const items = mergeItems(bills.flatMap((bill) => bill.items));
  const parts: { [Part in CostPart]?: NanoDollars } = {};
  for (const { unit, amount } of items) {
    const { part } = lines[unit as Unit];
    parts[part] = add(parts[part] ?? 0, amount);
  }
  const total = items.reduce((sum, { amount }) => add(sum, amount), 0);
  return {
    items,
    total,
    cost: toCost({ parts, total }),
    unpriced: [...new Set(bills.flatMap((bill) => bill.unpriced))],
  };
}

function mergeItems(items: readonly LineItem[]): LineItem[] {
  const merged = new Map<string, LineItem>();
  for (const item of items) {
    const name = `${item.unit} ${item.rate} ${item.basis}`;
    const quantity = (merged.get(name)?.quantity ?? 0) + item.quantity;
    merged.set(name, { ...item, quantity, amount: multiply(quantity, item.rate) });
  }
  return [...merged.values()];
}
