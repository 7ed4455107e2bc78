import type { LineItem } from "../../../src/ports.ts";
import type { Names } from "./names.ts";

/** A line item as it is stored; versions 1 and 2 of a file have the texts themselves where there are numbers of `name` now. */
type ItemTuple = readonly [
  unit: string | number,
  quantity: number,
  rate: number,
  amount: number,
  basis: string | number,
];

/** Line items as they are stored; only inside a transaction that writes. */
export function writeItems(names: Names, items: readonly LineItem[]): string {
  if (items.length === 0) return "[]";
  return JSON.stringify(
    items.map(({ unit, quantity, rate, amount, basis }) => [
      names.give(unit),
      quantity,
      rate,
      amount,
      names.give(basis),
    ]),
  );
}

/** Line items from what {@link writeItems} wrote, once it is parsed. */
export function readItems(names: Names, stored: unknown): readonly LineItem[] {
  const text = (told: string | number): string => (typeof told === "string" ? told : (names.read(told) ?? ""));
  return (stored as readonly ItemTuple[]).map(([unit, quantity, rate, amount, basis]) => {
    return { unit: text(unit), quantity, rate, amount, basis: text(basis) };
  });
}
