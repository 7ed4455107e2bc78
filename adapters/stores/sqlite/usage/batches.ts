import { setImmediate as nextTurn } from "node:timers/promises";
import type { TimeSpan } from "../../../shared/usage/range.ts";
import { attemptIds, isOfRequest } from "../rows/attempt-ids.ts";
import { selectDimension, writeFilters } from "./columns.ts";
import { findRequests, type RequestRange, selectRequests } from "./ranges.ts";
import { addRows, groupClause, type SqliteUsageQuery } from "./usage-query.ts";

/** Requests that are summed at once; between two pieces other work gets its turn. */
const pieceSize = 5_000;

/** Sums the requests of a span and their attempts, piece by piece. */
export async function sumRequests(query: SqliteUsageQuery, span: TimeSpan): Promise<void> {
  for (const { first, last, isIndexed } of findRequests(query.connection, span)) {
    for (let from = first; from <= last; from += pieceSize) {
      if (from > first) await nextTurn();
      sumPiece(query, span, { first: from, last: Math.min(last, from + pieceSize - 1), isIndexed });
    }
  }
}

/** What attempts add to each sum; those in the rows of their requests are counted by the instant that all of them have. */
const attemptSums = (table: string, counted: string) =>
  `count(${counted}) AS attempts, sum(${table}.prompt_tokens) AS prompt_tokens, sum(${table}.completion_tokens) AS completion_tokens,
  sum(${table}.cached_read_tokens) AS cached_read_tokens, sum(${table}.cached_write_tokens) AS cached_write_tokens,
  sum(${table}.reasoning_tokens) AS reasoning_tokens, total(${table}.cost) AS cost, sum(${table}.is_unpriced) AS unpriced,
  sum(${table}.is_estimated) AS estimated`;
const sumsOf = {
  request: `count(*) AS requests, sum(r.status >= 400) AS failures, sum(r.cache > 0) AS cache_hits, total(r.saved) AS saved,
  sum(r.latency) AS latency, sum(r.saved_prompt_tokens) AS saved_prompt_tokens, sum(r.saved_completion_tokens) AS saved_completion_tokens,
   ${attemptSums("r", "r.tried_at")}`,
  attempt: attemptSums("a", "*"),
} as const;
const attempts = `CROSS JOIN attempt AS a ON ${isOfRequest}`;

/** Sums some requests of a span at once. */
export function sumPiece(query: SqliteUsageQuery, { from, to }: TimeSpan, range: RequestRange): void {
  const { dimensions, filters, names } = query;
  const requests = selectRequests(range, filters, names);
  const sources = hasOwnAttempts(query, range) ? (["request", "attempt"] as const) : (["request"] as const);
  for (const source of sources) {
    const columns = dimensions.map((dimension) => selectDimension(dimension, source));
    const where = writeFilters(filters, names, source);
    const selected = [...columns.map(({ sql }, position) => `${sql} AS g${position}`), sumsOf[source]].join(", ");
    const tables = source === "request" ? requests.from : `${requests.from} ${attempts}`;
    const sql = `SELECT ${selected} FROM ${tables} WHERE ${requests.where} AND r.at >= ? AND r.at < ?${where.sql} ${groupClause(dimensions)}`;
    const values = [...columns.flatMap((column) => column.values), ...requests.values, from, to, ...where.values];
    addRows(query, { sql, values, source });
  }
}

/** Whether some of the requests have attempts in rows of their own: most have one, which is in the row of its request. */
function hasOwnAttempts({ connection }: SqliteUsageQuery, { first, last }: RequestRange): boolean {
  const sql = "SELECT 1 FROM attempt WHERE id BETWEEN ? AND ? LIMIT 1";
  return connection.prepare(sql).get(...attemptIds(first, last)) !== undefined;
}
