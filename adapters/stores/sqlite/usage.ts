import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dimension, UsageQuestion, UsageRow } from "../../../src/ports/ledger.ts";
import { dayLength, dayOf, firstDayOf, noSums, sumNames } from "../../shared/usage/facts.ts";
import { checkDimensions, type Filter, readFilters } from "../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../shared/usage/groups.ts";
import { cutAtMidnight, cutAtMonths, type Span } from "../../shared/usage/range.ts";
import { decodeDimension, type Fragment, isInSheet, type Source, selectDimension, writeFilters } from "./columns.ts";
import type { Connection } from "./connection.ts";
import type { Names } from "./names.ts";
import { findRequests, type IdRange, readMark, selectRequests } from "./ranges.ts";
import { attemptsPerRequest } from "./rows.ts";
import { type Sheet, sheets } from "./schema.ts";

/** A question on its way. */
interface Inquiry {
  readonly connection: Connection;
  readonly names: Names;
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly groups: Groups;
}

/** Requests that are summed at once; between two pieces other work gets its turn. */
const pieceSize = 5_000;

/**
 * Answers a question of usage. Whole days and months come from the tables of sums where these have what is asked, and from the few
 * requests that are not in them yet; the rest is summed over requests, in pieces between which the event loop turns.
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
  const sheet = findSheet(inquiry, "day");
  const edges = sheet ? connection.read(() => sumDays(inquiry, sheet, { from, to })) : [{ from, to }];
  for (const edge of edges) await sumRequests(inquiry, edge);
  return inquiry.groups.rows();
}

function findSheet({ dimensions, filters }: Inquiry, period: Sheet["period"]): Sheet | undefined {
  const needed = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return sheets.find((sheet) => sheet.period === period && needed.every((dimension) => isInSheet(dimension, sheet)));
}

/** Sums the whole days of a span, and returns what of it is left. */
function sumDays(inquiry: Inquiry, sheet: Sheet, span: Span): readonly Span[] {
  const mark = readMark(inquiry.connection);
  const { firstDay, lastDay, edges } = cutAtMidnight(span, mark.newest);
  if (firstDay === lastDay) return edges;
  const twin = findSheet(inquiry, "month");
  const days = { firstDay, lastDay };
  if (twin && String(twin.columns) === String(sheet.columns)) {
    const { firstMonth, lastMonth, edges: daysLeft } = cutAtMonths(days, dayOf(mark.newest));
    sumSheet(inquiry, twin, [firstMonth, lastMonth]);
    sumSheet(inquiry, sheet, [Math.max(mark.folded, firstDayOf(firstMonth)), firstDayOf(lastMonth)]);
    for (const edge of daysLeft) sumSheet(inquiry, sheet, [edge.firstDay, edge.lastDay]);
  } else sumSheet(inquiry, sheet, [firstDay, lastDay]);
  const instants = { from: firstDay * dayLength, to: lastDay * dayLength };
  sumPiece(inquiry, instants, { first: mark.rolled + 1, last: mark.last, isIndexed: false });
  return edges;
}

/** Sums the rows of a sheet from one day or month to another, the last one excluded. */
function sumSheet(inquiry: Inquiry, { table, period }: Sheet, [first, last]: readonly [number, number]): void {
  if (first >= last) return;
  const { dimensions, filters, names } = inquiry;
  const columns = dimensions.map((dimension, position) => `${selectDimension(dimension, period).sql} AS g${position}`);
  const where = writeFilters(filters, names, period);
  const sums = sumNames.map((name) => `total(${name}) AS ${name}`);
  const sql = `SELECT ${[...columns, ...sums].join(", ")} FROM ${table}
    WHERE ${period} >= ? AND ${period} < ?${where.sql} ${groupClause(dimensions)}`;
  addRows(inquiry, { sql, values: [first, last, ...where.values] }, period);
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
    const values = [...columns.flatMap((column) => column.values), ...requests.values, from, to, ...where.values];
    addRows(inquiry, { sql, values }, source);
  }
}

function addRows({ connection, names, dimensions, groups }: Inquiry, { sql, values }: Fragment, source: Source): void {
  const decoders = dimensions.map((dimension) => decodeDimension(dimension, names, source));
  for (const row of connection.prepare(sql).iterate(...values) as Iterable<Record<string, number | null>>) {
    if (!row.requests && !row.attempts) continue; // what a sum without groups gives for nothing
    const sums = noSums();
    for (const name of sumNames) sums[name] = row[name] ?? 0;
    const group = decoders.map((decode, position) => decode(row[`g${position}`]));
    groups.add(group, sums);
  }
}
