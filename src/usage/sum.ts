import type { Usage } from "../api/usage.ts";
import type { LineItem } from "../ports.ts";
import { type Bill, toCost } from "./cost.ts";
import { type CostPart, lines, type Unit } from "./lines.ts";
import { add, multiply, type NanoDollars } from "./money.ts";

/** The counts of several answers together; without their costs, which are billed one by one. */
export function sumUsages(usages: readonly Usage[]): Usage {
  return usages.map(({ cost: _cost, ...counts }) => counts).reduce(addUsage, nothingUsed);
}

const nothingUsed: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function addUsage(sum: Usage, one: Usage): Usage {
  return addCounts(sum, one) as Usage;
}

/** Adds numbers, also in nested details; what is no number is the later one's. */
function addCounts(sum: object, one: object): object {
  const added: Record<string, unknown> = { ...sum };
  for (const [field, value] of Object.entries(one)) {
    const before = added[field];
    if (typeof value === "number") added[field] = (typeof before === "number" ? before : 0) + value;
    else if (typeof value === "object" && value !== null) added[field] = addCounts((before ?? {}) as object, value);
    else if (value !== undefined) added[field] = value;
  }
  return added;
}

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
