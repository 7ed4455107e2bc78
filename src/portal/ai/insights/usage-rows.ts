import { toDollars } from "../../../engine/metering/money.ts";
import type { AiUsageRow } from "../../../operations/portal/tenancy/ai/insights.ts";
import { type PricedRow, type PricedSums, sumOf } from "./priced-usage.ts";

/** The groups of one interval. `at` is its beginning; undefined where the period is not cut. */
export interface IntervalRows {
  readonly at: number | undefined;
  readonly rows: readonly PricedRow[];
  /** The sum of all groups that are not among the rows, where there are any. */
  readonly others?: PricedSums | undefined;
}

/** How many groups are shown one by one, and by what they are ordered. */
export interface GroupLimit {
  readonly limit: number;
  readonly order: keyof PricedSums;
}

/**
 * Returns the rows of all intervals: the groups that are largest over the whole period one by one, the largest first, and the others as one
 * row for each interval.
 */
export function toUsageRows(intervals: readonly IntervalRows[], { limit, order }: GroupLimit): AiUsageRow[] {
  const named = intervals.map(({ at, rows, others }) => ({
    at,
    rest: others,
    rows: rows.map((row) => ({ name: nameOf(row), row })),
  }));
  const totals = new Map<string, number>();
  for (const { rows } of named)
    for (const { name, row } of rows) totals.set(name, (totals.get(name) ?? 0) + row[order]);
  const largest = [...totals].sort(([, one], [, other]) => other - one).slice(0, limit);
  const rankOf = new Map(largest.map(([name], rank) => [name, rank]));
  return named.flatMap(({ at, rest, rows }) => {
    const shown: { readonly rank: number; readonly row: PricedRow }[] = [];
    const others: PricedSums[] = rest ? [rest] : [];
    for (const { name, row } of rows) {
      const rank = rankOf.get(name);
      if (rank === undefined) others.push(row);
      else shown.push({ rank, row });
    }
    shown.sort((one, other) => one.rank - other.rank);
    const instant = at === undefined ? {} : { at: new Date(at).toISOString() };
    return [
      ...shown.map(({ row: { group, ...sums } }) => ({ ...instant, group: showGroup(group), ...show(sums) })),
      ...(others.length === 0 ? [] : [{ ...instant, group: {}, is_other: true, ...show(sumOf(others)) }]),
    ];
  });
}

/** Returns what is left of sums without the rows; undefined where it is nothing. */
export function withoutRows(whole: readonly PricedSums[], rows: readonly PricedSums[]): PricedSums | undefined {
  const [left, taken] = [sumOf(whole), sumOf(rows)];
  for (const name of Object.keys(left) as (keyof PricedSums)[]) left[name] -= taken[name];
  return left.requests === 0 && left.attempts === 0 ? undefined : { ...left, latency: Math.round(left.latency) };
}

function nameOf({ group }: PricedRow): string {
  return JSON.stringify(Object.values(group));
}

function showGroup(group: PricedRow["group"]): AiUsageRow["group"] {
  return Object.fromEntries(
    Object.entries(group).map(([dimension, value]) => [
      dimension,
      value === undefined || value === null ? null : String(value),
    ]),
  );
}

function show({ cost, price, saved, ...counts }: PricedSums) {
  return { ...counts, cost: toDollars(cost), price: toDollars(price), saved: toDollars(saved) };
}
