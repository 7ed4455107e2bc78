import { setImmediate as nextTurn } from "node:timers/promises";
import type { Span } from "../../shared/usage/range.ts";
import { selectDimension, writeFilters } from "./columns.ts";
import { addRows, groupClause, type Inquiry } from "./inquiry.ts";
import { findRequests, type IdRange, selectRequests } from "./ranges.ts";
import { attemptsPerRequest } from "./rows.ts";

/** Requests that are summed at once; between two pieces other work gets its turn. */
const pieceSize = 5_000;

/** Sums the requests of a span and their attempts, piece by piece. */
export async function sumRequests(inquiry: Inquiry, span: Span): Promise<void> {
  for (const { first, last, isIndexed } of findRequests(inquiry.connection, span)) {
    for (let from = first; from <= last; from += pieceSize) {
      if (from > first) await nextTurn();
      sumPiece(inquiry, span, { first: from, last: Math.min(last, from + pieceSize - 1), isIndexed });
    }
  }
}

/** What a request, and an attempt, adds to each sum. */
const requestSums = `count(*) AS requests, sum(r.status >= 400) AS failures, sum(r.cache > 0) AS cache_hits, total(r.saved) AS saved,
  sum(r.latency) AS latency`;
const attemptSums = `count(*) AS attempts, sum(a.prompt_tokens) AS prompt_tokens, sum(a.completion_tokens) AS completion_tokens,
  sum(a.cached_read_tokens) AS cached_read_tokens, sum(a.cached_write_tokens) AS cached_write_tokens,
  sum(a.reasoning_tokens) AS reasoning_tokens, total(a.cost) AS cost, sum(a.is_unpriced) AS unpriced, sum(a.is_estimated) AS estimated`;
const attempts = `CROSS JOIN attempt AS a ON a.id BETWEEN r.id * ${attemptsPerRequest} AND r.id * ${attemptsPerRequest} + ${attemptsPerRequest - 1}`;

/** Sums some requests of a span at once. */
export function sumPiece(inquiry: Inquiry, { from, to }: Span, range: IdRange): void {
  const { dimensions, filters, names } = inquiry;
  const requests = selectRequests(range, filters, names);
  for (const source of ["request", "attempt"] as const) {
    const columns = dimensions.map((dimension) => selectDimension(dimension, source));
    const where = writeFilters(filters, names, source);
    const sums = source === "request" ? requestSums : attemptSums;
    const selected = [...columns.map(({ sql }, position) => `${sql} AS g${position}`), sums].join(", ");
    const tables = source === "request" ? requests.from : `${requests.from} ${attempts}`;
    const sql = `SELECT ${selected} FROM ${tables} WHERE ${requests.where} AND r.at >= ? AND r.at < ?${where.sql} ${groupClause(dimensions)}`;
    const values = [...columns.flatMap((column) => column.values), ...requests.values, from, to, ...where.values];
    addRows(inquiry, { sql, values, source });
  }
}
