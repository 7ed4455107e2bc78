import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dimension, UsageQuestion, UsageRow } from "../../../src/ports/ledger.ts";
import { type Sums, sumNames } from "../../shared/usage/facts.ts";
import { checkDimensions, type Filter, readFilters } from "../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../shared/usage/groups.ts";
import { cutAtMidnight, type Span } from "../../shared/usage/range.ts";
import { cellOf, decodeDimension, type Fragment, selectDimension, writeFilters } from "./columns.ts";
import type { Connection } from "./connection.ts";
import type { Names } from "./names.ts";
import { findRequests, type IdRange, readMark, selectRequests } from "./ranges.ts";
import { attemptsPerRequest } from "./rows.ts";
import { type Cube, cubes } from "./schema.ts";

/** A question on its way. */
interface Inquiry {
  readonly connection: Connection;
  readonly names: Names;
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly groups: Groups;
}

/** Requests that are summed at once; between two pieces other work gets its turn. */
const pieceSize = 20_000;

/**
 * Answers a question of usage. Whole days come from the usage tables where these have what is asked, and from the few requests that
 * are not in them yet; the rest is summed over requests, in pieces between which the event loop turns.
 */
export async function queryUsage(
  connection: Connection,
  names: Names,
  question: UsageQuestion,
): Promise<readonly UsageRow[]> {
  const dimensions = checkDimensions(question.group_by ?? [], "group_by");
  const filters = readFilters(question.filters);
  const inquiry: Inquiry = { connection, names, dimensions, filters, groups: groupBy(dimensions) };
  const { from, to } = question;
  const cube = findCube([...dimensions, ...filters.map(([dimension]) => dimension)]);
  const edges = cube ? connection.read(() => sumDays(inquiry, cube, { from, to })) : [{ from, to }];
  for (const edge of edges) await sumRequests(inquiry, edge);
  return inquiry.groups.rows();
}

function findCube(dimensions: readonly Dimension[]): Cube | undefined {
  const needed = dimensions.map(cellOf);
  return cubes.find(({ columns }) => needed.every((column) => column !== undefined && columns.includes(column)));
}

/** Sums the whole days of a span, and returns what of it is left. */
function sumDays(inquiry: Inquiry, cube: Cube, span: Span): readonly Span[] {
  const { connection, dimensions, filters, names } = inquiry;
  const mark = readMark(connection);
  const { firstDay, lastDay, edges } = cutAtMidnight(span, mark.newest);
  if (firstDay === lastDay) return edges;
  const columns = dimensions.map((dimension, position) => `${cellOf(dimension)} AS g${position}`);
  const where = writeFilters(filters, names, "cell");
  const sums = sumNames.map((name) => `total(${name}) AS ${name}`).join(", ");
  const sql = `SELECT ${[...columns, sums].join(", ")} FROM ${cube.table} WHERE day >= ? AND day < ?${where.sql} ${groupClause(dimensions)}`;
  addRows(inquiry, sql, [firstDay, lastDay, ...where.values]);
  const days = { from: firstDay * 86_400_000, to: lastDay * 86_400_000 };
  sumPiece(inquiry, days, { first: mark.rolled + 1, last: mark.last, isIndexed: false });
  return edges;
}

function groupClause(dimensions: readonly Dimension[]): string {
  return dimensions.length === 0 ? "" : `GROUP BY ${dimensions.map((_, position) => `g${position}`).join(", ")}`;
}

async function sumRequests(inquiry: Inquiry, span: Span): Promise<void> {
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

function sumPiece(inquiry: Inquiry, { from, to }: Span, range: IdRange): void {
  const { dimensions, filters, names } = inquiry;
  const requests = selectRequests(range, filters, names);
  for (const source of ["request", "attempt"] as const) {
    const columns = dimensions.map((dimension) => selectDimension(dimension, source));
    const where = writeFilters(filters, names, source);
    const sums = source === "request" ? requestSums : attemptSums;
    const selected = [...columns.map(({ sql }, position) => `${sql} AS g${position}`), sums].join(", ");
    const tables = source === "request" ? requests.from : `${requests.from} ${attempts}`;
    const sql = `SELECT ${selected} FROM ${tables} WHERE ${requests.where} AND r.at >= ? AND r.at < ?${where.sql} ${groupClause(dimensions)}`;
    addRows(inquiry, sql, [...columns.flatMap(({ values }) => values), ...requests.values, from, to, ...where.values]);
  }
}

function addRows({ connection, names, dimensions, groups }: Inquiry, sql: string, values: Fragment["values"]): void {
  for (const row of connection.prepare(sql).iterate(...values) as Iterable<Record<string, number | null>>) {
    const sums = Object.fromEntries(sumNames.map((name) => [name, row[name] ?? 0])) as unknown as Sums;
    if (sums.requests === 0 && sums.attempts === 0) continue; // what a sum without groups gives for nothing
    groups.add(
      dimensions.map((dimension, position) => decodeDimension(dimension, row[`g${position}`], names)),
      sums,
    );
  }
}
