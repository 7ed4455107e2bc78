import type { UsageQuestion, UsageRow } from "../../../src/ports/ledger.ts";
import { noSums, type Sums, sumNames } from "../../../src/usage/sums.ts";
import { type Ask, type Database, longMs } from "../../shared/postgres/database.ts";
import { dayLength, hourLength } from "../../shared/usage/facts.ts";
import { checkDimensions, type Filter, readFilters } from "../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../shared/usage/groups.ts";
import { cutAtMidnight, cutAtMonths, type DayRange, type Span } from "../../shared/usage/range.ts";
import { decodeDimension, isInSheet, isSummed, type Source, selectDimension, writeFilters } from "./columns.ts";
import { type Sheet, sheets, sumColumns } from "./schema.ts";

type Dimensions = ReturnType<typeof checkDimensions>;

/** A question on its way. */
interface Inquiry {
  readonly schema: string;
  readonly ask: Ask;
  readonly dimensions: Dimensions;
  readonly filters: readonly Filter[];
  readonly groups: Groups;
}

const endOfTime = 8.64e15;

/** All of an answer is of the same instant. */
const snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Answers a question of usage: whole hours, days and months from the sums, where these have what is asked, the rest from requests and attempts. */
export async function queryUsage(
  { transact, schema }: Database,
  { from, to, group_by = [], filters }: UsageQuestion,
): Promise<readonly UsageRow[]> {
  const dimensions = checkDimensions(group_by, "group_by");
  const wanted = readFilters(filters);
  const groups = groupBy(dimensions);
  const span = { from: clamp(from), to: clamp(to) };
  const isOfSums = [...dimensions, ...wanted.map(([dimension]) => dimension)].every(isSummed);
  await transact(async (ask) => {
    const inquiry: Inquiry = { schema, ask, dimensions, filters: wanted, groups };
    const edges = isOfSums ? await sumPeriods(inquiry, span) : [span];
    for (const edge of edges)
      for (const source of ["request", "attempt"] as const) await sumRows(inquiry, source, edge);
  }, snapshot);
  return groups.rows();
}

function clamp(instant: number): number {
  return Math.max(0, Math.min(instant, endOfTime));
}

/** What is known of the sums: the last day with one, and the hour from which on there are some by hour. */
interface Known {
  readonly day: number | null;
  readonly hourly: number;
}

/** Sums whole days, those of whole months from the sums by month, and the whole hours around them; gives what sticks out. */
async function sumPeriods(inquiry: Inquiry, span: Span): Promise<readonly Span[]> {
  const { ask, schema } = inquiry;
  const days = `greatest((SELECT max(day) FROM ${schema}.usage_by_target), (SELECT max(hour) / 24 FROM ${schema}.usage_new))`;
  const { rows } = await ask({ text: `SELECT ${days} AS day, hourly FROM ${schema}.mark` });
  const { day, hourly } = rows[0] as Known;
  if (day === null) return [];
  const { firstDay, lastDay, edges } = cutAtMidnight(span, (day + 1) * dayLength - 1);
  if (firstDay < lastDay) await sumDays(inquiry, { firstDay, lastDay }, day);
  const rest: Span[] = [];
  for (const edge of edges) rest.push(...(await sumHours(inquiry, edge, hourly)));
  return rest;
}

async function sumDays(inquiry: Inquiry, days: DayRange, newestDay: number): Promise<void> {
  const { firstDay, lastDay } = days;
  await sumSheet(inquiry, newest, [24 * firstDay, 24 * lastDay]);
  const months = pickSheet(inquiry, "month");
  const cut = months && cutAtMonths(days, newestDay);
  if (cut) await sumSheet(inquiry, months, [cut.firstMonth, cut.lastMonth]);
  const sheet = pickSheet(inquiry, "day");
  for (const edge of cut?.edges ?? [days]) await sumSheet(inquiry, sheet, [edge.firstDay, edge.lastDay]);
}

async function sumHours(inquiry: Inquiry, { from, to }: Span, hourly: number): Promise<readonly Span[]> {
  const [first, last] = [Math.max(Math.ceil(from / hourLength), hourly), Math.floor(to / hourLength)];
  if (first >= last) return [{ from, to }];
  for (const sheet of [newest, pickSheet(inquiry, "hour")]) await sumSheet(inquiry, sheet, [first, last]);
  const edges = [
    { from, to: first * hourLength },
    { from: last * hourLength, to },
  ];
  return edges.filter((edge) => edge.from < edge.to);
}

/** What is in no other sheet yet. */
const newest: Sheet = { table: "usage_new", period: "hour", columns: sumColumns };

/** The smallest sheet that has what is asked. */
function pickSheet({ dimensions, filters }: Inquiry, period: Sheet["period"]): Sheet | undefined {
  const asked = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return sheets.find((sheet) => sheet.period === period && asked.every((dimension) => isInSheet(dimension, sheet)));
}

/** Sums hours, days or months from one to another, the last one excluded. */
async function sumSheet(
  inquiry: Inquiry,
  sheet: Sheet | undefined,
  [first, last]: readonly [first: number, last: number],
): Promise<void> {
  if (!sheet || first >= last) return;
  const { table, period } = sheet;
  const sums = sumNames.map((name) => `sum(s.${name})`);
  const from = `${inquiry.schema}.${table} AS s WHERE s.${period} >= ${first} AND s.${period} < ${last}`;
  await addRows(inquiry, period, { sums, from });
}

const requestSums: Partial<Record<keyof Sums, string>> = {
  requests: "count(*)",
  failures: "count(*) FILTER (WHERE r.status >= 400)",
  cache_hits: "count(r.cache)",
  saved: "sum(r.saved)",
  latency: "sum(r.latency)",
};
const attemptSums: Partial<Record<keyof Sums, string>> = {
  attempts: "count(*)",
  prompt_tokens: "sum(a.prompt_tokens)",
  completion_tokens: "sum(a.completion_tokens)",
  cached_read_tokens: "sum(a.cached_read_tokens)",
  cached_write_tokens: "sum(a.cached_write_tokens)",
  reasoning_tokens: "sum(a.reasoning_tokens)",
  cost: "sum(a.cost)",
  unpriced: "count(*) FILTER (WHERE a.is_unpriced)",
  estimated: "count(*) FILTER (WHERE a.is_estimated)",
};

/** Sums requests, or their attempts, of a span. */
async function sumRows(inquiry: Inquiry, source: "request" | "attempt", { from, to }: Span): Promise<void> {
  const { schema } = inquiry;
  const own = source === "request" ? requestSums : attemptSums;
  const join = source === "request" ? "" : `JOIN ${schema}.attempt AS a ON a.request = r.id`;
  const within = `r.at >= ${from} AND r.at < ${to}`;
  const sums = sumNames.map((name) => own[name] ?? "0");
  await addRows(inquiry, source, { sums, from: `${schema}.request AS r ${join} WHERE ${within}` });
}

/** Sums and what they are over, up to a condition that others may follow. */
interface Query {
  readonly sums: readonly string[];
  readonly from: string;
}

async function addRows(inquiry: Inquiry, source: Source, { sums, from }: Query): Promise<void> {
  const { ask, dimensions, filters, groups } = inquiry;
  const values: unknown[] = [];
  const give = (value: unknown) => `$${values.push(value)}`;
  const columns = dimensions.map((dimension, n) => `${selectDimension(dimension, source, give)} AS g${n}`);
  const selected = sums.map((sum, n) => `${sum} AS s${n}`);
  const grouping = columns.length === 0 ? "" : `GROUP BY ${columns.map((_, n) => n + 1).join(", ")}`;
  const text = `SELECT ${[...columns, ...selected].join(", ")} FROM ${from}${writeFilters(filters, source, give)} ${grouping}`;
  const { rows } = await ask({ text, values, query_timeout: longMs });
  for (const row of rows as readonly Record<string, unknown>[]) {
    const added = noSums();
    for (const [n, name] of sumNames.entries()) added[name] = Number(row[`s${n}`] ?? 0);
    groups.add(
      dimensions.map((dimension, n) => decodeDimension(dimension, source, row[`g${n}`])),
      added,
    );
  }
}
