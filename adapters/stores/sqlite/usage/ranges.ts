import type { Filter } from "../../../shared/usage/filter.ts";
import { dayOf, hourOf } from "../../../shared/usage/ledger-facts.ts";
import type { TimeSpan } from "../../../shared/usage/range.ts";
import type { Connection } from "../connection.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import type { SqlFragment } from "./columns.ts";

/** How far sums and indexes go, the last request of all, and the instant of the newest one. */
export interface Mark {
  readonly rolled: number;
  readonly last: number;
  readonly newest: number;
  /** The days before this one are in the sums of months. */
  readonly folded: number;
  /** From this hour on there are sums by hour. */
  readonly hourly: number;
}

/** Reads the mark. */
export function readMark(connection: Connection): Mark {
  const sql = `SELECT rolled, folded, hourly, (SELECT coalesce(max(id), 0) FROM request) AS last,
    max(newest, (SELECT coalesce(max(at), 0) FROM request WHERE id > mark.rolled)) AS newest FROM mark`;
  return connection.prepare(sql).get() as unknown as Mark;
}

/** Requests from one number to another, both included. */
export interface RequestRange {
  readonly first: number;
  readonly last: number;
  /** They are in `roll_key`. */
  readonly isIndexed: boolean;
}

interface Range {
  readonly first: number | null;
  readonly last: number | null;
}

/** The requests that may lie in a span: those of its hours or days, and those behind the mark. */
export function findRequests(connection: Connection, { from, to }: TimeSpan): readonly RequestRange[] {
  const { rolled, last, hourly } = readMark(connection);
  const [period, periodOf] = hourOf(from) < hourly ? (["day", dayOf] as const) : (["hour", hourOf] as const);
  const sql = `SELECT min(first) AS first, max(last) AS last FROM ${period} WHERE ${period} BETWEEN ? AND ?`;
  const range = connection.prepare(sql).get(periodOf(from), periodOf(Math.ceil(to) - 1)) as unknown as Range;
  const known =
    range.first === null || range.last === null ? [] : [{ first: range.first, last: range.last, isIndexed: true }];
  return rolled < last ? [...known, { first: rolled + 1, last, isIndexed: false }] : known;
}

/** Where a query finds the requests of a range. */
export interface RequestSource {
  /** Tables, `request AS r` among them. */
  readonly from: string;
  readonly where: string;
  /** For the question marks of `where`. */
  readonly values: SqlFragment["values"];
}

/** The requests of a range, by way of the index when keys are asked for. */
export function selectRequests(
  { first, last, isIndexed }: RequestRange,
  filters: readonly Filter[],
  names: InternedStrings,
): RequestSource {
  const keys = filters.find(([dimension, values]) => dimension === "key_id" && !values.includes(null))?.[1];
  if (!isIndexed || !keys) return { from: "request AS r", where: "r.id BETWEEN ? AND ?", values: [first, last] };
  return {
    from: `roll AS l CROSS JOIN roll_key AS k ON k.first = l.first CROSS JOIN json_each(k.requests) AS j
      CROSS JOIN request AS r ON r.id = j.value`,
    where: `l.first >= coalesce((SELECT max(first) FROM roll WHERE first <= ?), 0) AND l.first <= ?
      AND k.key IN (${keys.map(() => "?").join(", ")}) AND r.id BETWEEN ? AND ?`,
    values: [first, last, ...keys.map((key) => names.find(String(key))), first, last],
  };
}
