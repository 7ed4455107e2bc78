import { multiply } from "../../../../src/engine/metering/money.ts";
import type { LedgerAttempt } from "../../../../src/engine/ports/ledger.ts";
import type { LineItem } from "../../../../src/engine/ports/prices.ts";
import type { InternedStrings } from "./interned-strings.ts";

/** A line item as it is stored; versions 1 and 2 of a file have the texts themselves where there are numbers of `name` now. */
type ItemTuple = readonly [
  unit: string | number,
  quantity: number,
  rate: number,
  amount: number,
  basis: string | number,
];

/** What the items of a plain bill are made of beside the counts of tokens. */
type ScaleTuple = readonly [unit: string, rate: number, basis: string];

/** Line items as they are stored; only inside a transaction that writes. */
export function writeItems(names: InternedStrings, items: readonly LineItem[]): string {
  if (items.length === 0) return "[]";
  return JSON.stringify(
    items.map(({ unit, quantity, rate, amount, basis }) => [
      names.intern(unit),
      quantity,
      rate,
      amount,
      names.intern(basis),
    ]),
  );
}

/** Line items from what {@link writeItems} wrote, once it is parsed. */
export function readItems(names: InternedStrings, stored: unknown): readonly LineItem[] {
  const text = (raw: string | number): string => (typeof raw === "string" ? raw : (names.read(raw) ?? ""));
  return (stored as readonly ItemTuple[]).map(([unit, quantity, rate, amount, basis]) => {
    return { unit: text(unit), quantity, rate, amount, basis: text(basis) };
  });
}

/** Quantities up to which the amounts of a plain bill are multiplied anew. */
const mostTokens = 2 ** 31;

/**
 * True for a bill of all prompt tokens at one rate, and of all completion tokens at another, as most are: its items follow from the counts
 * and from its scale, which is one of the names.
 */
export function isPlain({ items, prompt_tokens, completion_tokens }: LedgerAttempt): boolean {
  const [first, second, third] = items;
  if (!first || third || !follows(first, prompt_tokens)) return false;
  return second === undefined || follows(second, completion_tokens);
}

function follows({ quantity, rate, amount }: LineItem, tokens: number): boolean {
  return quantity === tokens && tokens <= mostTokens && multiply(tokens, rate) === amount;
}

/** Gives the scale of a plain bill as JSON, the same text each time. */
export type ScaleWriter = (items: readonly LineItem[]) => string;

/** Scales that are remembered; there are as many as prices. */
const mostScales = 10_000;

/** Remembers what it wrote: to write a scale takes longer than the rest of a row. */
export function openScales(): ScaleWriter {
  let count = 0;
  const known = new Map<string, { readonly items: readonly LineItem[]; readonly text: string }[]>();
  return (items) => {
    const basis = (items[0] as LineItem).basis;
    const alike = known.get(basis) ?? [];
    for (const scale of alike) if (isSameScale(scale.items, items)) return scale.text;
    if (++count > mostScales) {
      count = 0;
      known.clear();
    }
    const text = JSON.stringify(items.map((item) => [item.unit, item.rate, item.basis]));
    known.set(basis, [{ items, text }, ...alike]);
    return text;
  };
}

function isSameScale(one: readonly LineItem[], other: readonly LineItem[]): boolean {
  return isAlike(one[0], other[0]) && isAlike(one[1], other[1]);
}

function isAlike(one: LineItem | undefined, other: LineItem | undefined): boolean {
  return one === other || (one?.rate === other?.rate && one?.basis === other?.basis && one?.unit === other?.unit);
}

/** The items of a plain bill, from its scale, once it is parsed, and the counts. */
export function readPlainItems(scale: unknown, tokens: readonly [prompt: number, completion: number]): LineItem[] {
  return (scale as readonly ScaleTuple[]).map(([unit, rate, basis], position) => {
    const quantity = tokens[position] ?? 0;
    return { unit, quantity, rate, amount: multiply(quantity, rate), basis };
  });
}
