import { noSums, type Sums, sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import type { UsageQuestion, UsageRow } from "../../../../src/engine/ports/ledger.ts";
import { type Database, longMs } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import { checkDimensions, type Filter, readFilters } from "../../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../../shared/usage/groups.ts";
import { dayLength, hourLength } from "../../../shared/usage/ledger-facts.ts";
import { cutAtMidnight, cutAtMonths, type DayRange, type TimeSpan } from "../../../shared/usage/range.ts";
import { type RollupTable, rollupTables, sumColumns } from "../schema.ts";
import {
  decodeDimension,
  isInRollup,
  isSummed,
  type PostgresSource,
  selectDimension,
  writeFilters,
} from "./columns.ts";

type Dimensions = ReturnType<typeof checkDimensions>;

/** A question on its way. */
interface UsageQueryContext {
  readonly schema: string;
  readonly ask: SendQuery;
  readonly dimensions: Dimensions;
  readonly filters: readonly Filter[];
  readonly groups: Groups;
}

const endOfTime = 8.64e15;

/** All of an answer is of the same instant; requests are joined with their attempts month by month. */
const snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_partitionwise_join = on";

/** Answers a question of usage: whole hours, days and months from the sums, where these have what is asked, the rest from requests and attempts. */
export async function queryUsage(
  { transact, schema }: Database,
  { from, to, group_by = [], filters }: UsageQuestion,
): Promise<readonly UsageRow[]> {
  const dimensions = checkDimensions(group_by, "group_by");
  const filtered = readFilters(filters);
  const groups = groupBy(dimensions);
  const span = { from: clamp(from), to: clamp(to) };
  const isOfSums = [...dimensions, ...filtered.map(([dimension]) => dimension)].every(isSummed);
  await transact(async (ask) => {
    const query: UsageQueryContext = { schema, ask, dimensions, filters: filtered, groups };
    const edges = isOfSums ? await sumPeriods(query, span) : [span];
    for (const edge of edges) for (const source of ["request", "attempt"] as const) await sumRows(query, source, edge);
  }, snapshot);
  return groups.rows();
}

function clamp(instant: number): number {
  return Math.max(0, Math.min(instant, endOfTime));
}

/** What is known of the sums: the last day with one, and the hour from which on there are some by hour. */
interface RollupCoverage {
  readonly day: number | null;
  readonly hourly: number;
}

/** Sums whole days, those of whole months from the sums by month, and the whole hours around them; gives what sticks out. */
async function sumPeriods(query: UsageQueryContext, span: TimeSpan): Promise<readonly TimeSpan[]> {
  const { ask, schema } = query;
  const days = `greatest((SELECT max(day) FROM ${schema}.usage_by_target), (SELECT max(hour) / 24 FROM ${schema}.usage_new))`;
  const { rows } = await ask({ text: `SELECT ${days} AS day, hourly FROM ${schema}.mark` });
  const { day, hourly } = rows[0] as RollupCoverage;
  if (day === null) return [];
  const end = (day + 1) * dayLength; // nothing is known after it
  if (isByHour(query)) return sumHours(query, { from: span.from, to: Math.min(span.to, end) }, hourly);
  const { firstDay, lastDay, edges } = cutAtMidnight(span, end - 1);
  if (firstDay < lastDay) await sumDays(query, { firstDay, lastDay }, day);
  const rest: TimeSpan[] = [];
  for (const edge of edges) rest.push(...(await sumHours(query, edge, hourly)));
  return rest;
}

/** True for a question that only sums by hour can answer. */
function isByHour({ dimensions, filters }: UsageQueryContext): boolean {
  return dimensions.includes("hour") || filters.some(([dimension]) => dimension === "hour");
}

async function sumDays(query: UsageQueryContext, days: DayRange, newestDay: number): Promise<void> {
  const { firstDay, lastDay } = days;
  await sumTable(query, newest, [24 * firstDay, 24 * lastDay]);
  const months = pickTable(query, "month");
  const cut = months && cutAtMonths(days, newestDay);
  if (cut) await sumTable(query, months, [cut.firstMonth, cut.lastMonth]);
  const table = pickTable(query, "day");
  for (const edge of cut?.edges ?? [days]) await sumTable(query, table, [edge.firstDay, edge.lastDay]);
}

async function sumHours(
  query: UsageQueryContext,
  { from, to }: TimeSpan,
  hourly: number,
): Promise<readonly TimeSpan[]> {
  const [first, last] = [Math.max(Math.ceil(from / hourLength), hourly), Math.floor(to / hourLength)];
  if (first >= last) return [{ from, to }];
  for (const table of [newest, pickTable(query, "hour")]) await sumTable(query, table, [first, last]);
  const edges = [
    { from, to: first * hourLength },
    { from: last * hourLength, to },
  ];
  return edges.filter((edge) => edge.from < edge.to);
}

/** What is in no other sheet yet. */
const newest: RollupTable = { table: "usage_new", period: "hour", columns: sumColumns };

/** The smallest sheet that has what is asked. */
function pickTable({ dimensions, filters }: UsageQueryContext, period: RollupTable["period"]): RollupTable | undefined {
  const filtered = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return rollupTables.find(
    (table) => table.period === period && filtered.every((dimension) => isInRollup(dimension, table)),
  );
}

/** Sums hours, days or months from one to another, the last one excluded. */
async function sumTable(
  query: UsageQueryContext,
  rollupTable: RollupTable | undefined,
  [first, last]: readonly [first: number, last: number],
): Promise<void> {
  if (!rollupTable || first >= last) return;
  const { table, period } = rollupTable;
  const sums = sumNames.map((name) => `sum(s.${name})`);
  const from = `${query.schema}.${table} AS s WHERE s.${period} >= ${first} AND s.${period} < ${last}`;
  await addRows(query, period, { sums, from });
}

const requestSums: Partial<Record<keyof Sums, string>> = {
  requests: "count(*)",
  failures: "count(*) FILTER (WHERE r.status >= 400)",
  cache_hits: "count(r.cache)",
  saved: "sum(r.saved)",
  saved_prompt_tokens: "sum(r.saved_prompt_tokens)",
  saved_completion_tokens: "sum(r.saved_completion_tokens)",
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
async function sumRows(query: UsageQueryContext, source: "request" | "attempt", { from, to }: TimeSpan): Promise<void> {
  const { schema } = query;
  const own = source === "request" ? requestSums : attemptSums;
  const join = source === "request" ? "" : `JOIN ${schema}.attempt AS a ON a.request = r.id`;
  const within = `r.at >= ${from} AND r.at < ${to}`;
  const sums = sumNames.map((name) => own[name] ?? "0");
  await addRows(query, source, { sums, from: `${schema}.request AS r ${join} WHERE ${within}` });
}

/** Sums and what they are over, up to a condition that others may follow. */
interface Query {
  readonly sums: readonly string[];
  readonly from: string;
}

async function addRows(query: UsageQueryContext, source: PostgresSource, { sums, from }: Query): Promise<void> {
  const { ask, dimensions, filters, groups } = query;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const columns = dimensions.map((dimension, n) => `${selectDimension(dimension, source, bind)} AS g${n}`);
  const selected = sums.map((sum, n) => `${sum} AS s${n}`);
  const grouping = columns.length === 0 ? "" : `GROUP BY ${columns.map((_, n) => n + 1).join(", ")}`;
  const text = `SELECT ${[...columns, ...selected].join(", ")} FROM ${from}${writeFilters(filters, source, bind)} ${grouping}`;
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
