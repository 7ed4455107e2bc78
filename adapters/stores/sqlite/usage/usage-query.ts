import { noSums, sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import type { Dimension } from "../../../../src/engine/ports/ledger.ts";
import type { Filter } from "../../../shared/usage/filter.ts";
import type { Groups } from "../../../shared/usage/groups.ts";
import type { Connection } from "../connection.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import { decodeDimension, type SqlFragment, type SqliteSource } from "./columns.ts";

/** A question on its way. */
export interface SqliteUsageQuery {
  readonly connection: Connection;
  readonly names: InternedStrings;
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly groups: Groups;
}

/** Groups by the columns `g0`, `g1`, … that stand for the dimensions. */
export function groupClause(dimensions: readonly Dimension[]): string {
  return dimensions.length === 0 ? "" : `GROUP BY ${dimensions.map((_, position) => `g${position}`).join(", ")}`;
}

/** A query that gives `g0`, `g1`, … and sums by their names. */
export interface SumQuery extends SqlFragment {
  readonly source: SqliteSource;
  /** Takes its rows off in place of adding them. */
  readonly isLess?: boolean;
}

/** Runs a query, and adds its rows to the groups. */
export function addRows(
  { connection, names, dimensions, groups }: SqliteUsageQuery,
  { sql, values, source, isLess = false }: SumQuery,
): void {
  const decoders = dimensions.map((dimension) => decodeDimension(dimension, names, source));
  for (const row of connection.prepare(sql).iterate(...values) as Iterable<Record<string, number | null>>) {
    const sums = noSums();
    for (const name of sumNames) sums[name] = isLess ? -(row[name] ?? 0) : (row[name] ?? 0);
    const group = decoders.map((decode, position) => decode(row[`g${position}`]));
    groups.add(group, sums);
  }
}
