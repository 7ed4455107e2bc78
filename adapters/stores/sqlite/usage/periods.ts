import { sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import { dayLength, dayOf, firstDayOf, hourLength, hourOf, monthOf } from "../../../shared/usage/ledger-facts.ts";
import { cutAtMidnight, cutAtMonths, type DayRange, type TimeSpan } from "../../../shared/usage/range.ts";
import { rollupTables, type SqliteRollupTable } from "../schema.ts";
import { sumPiece } from "./batches.ts";
import { isInRollup, selectDimension, writeFilters } from "./columns.ts";
import { type Mark, readMark } from "./ranges.ts";
import { addRows, groupClause, type SqliteUsageQuery } from "./usage-query.ts";

/** The smallest sheet of a period that has all that is asked; `undefined` when none has. */
function findTable(
  { dimensions, filters }: SqliteUsageQuery,
  period: SqliteRollupTable["period"],
): SqliteRollupTable | undefined {
  const needed = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return rollupTables.find(
    (table) => table.period === period && needed.every((dimension) => isInRollup(dimension, table)),
  );
}

/** Sums the whole days of a span, and the whole hours before and after them, where there are sums of what is asked; returns what is left. */
export function sumPeriods(query: SqliteUsageQuery, span: TimeSpan): readonly TimeSpan[] {
  const mark = readMark(query.connection);
  if (isByHour(query)) return sumHours(query, mark, span);
  const table = findTable(query, "day");
  if (!table) return [span];
  const { edges, ...days } = cutAtMidnight(span, mark.newest);
  if (days.firstDay < days.lastDay) sumDays({ query, table, mark }, days);
  return edges.flatMap((edge) => sumHours(query, mark, edge));
}

/** True for a question that only sums by hour can answer. */
function isByHour({ dimensions, filters }: SqliteUsageQuery): boolean {
  return dimensions.includes("hour") || filters.some(([dimension]) => dimension === "hour");
}

/** What days are summed with. */
interface DaySums {
  readonly query: SqliteUsageQuery;
  readonly table: SqliteRollupTable;
  readonly mark: Mark;
}

function sumDays(parts: DaySums, days: DayRange): void {
  const { query, table, mark } = parts;
  const { firstDay, lastDay } = days;
  const months = findTable(query, "month");
  if (months && String(months.columns) === String(table.columns)) {
    const { firstMonth, lastMonth, edges } = cutAtMonths(days, dayOf(mark.newest));
    sumTable(query, months, { first: firstMonth, last: lastMonth });
    sumTable(query, table, { first: Math.max(mark.folded, firstDayOf(firstMonth)), last: firstDayOf(lastMonth) });
    for (const edge of edges) sumEdge(parts, months, edge);
  } else sumTable(query, table, { first: firstDay, last: lastDay });
  sumTail(query, mark, { from: firstDay * dayLength, to: lastDay * dayLength });
}

/** Days that are no whole month: the sum of the first one's month less its other days, where these are fewer. A month holds its days before `folded`. */
function sumEdge({ query, table, mark }: DaySums, months: SqliteRollupTable, { firstDay, lastDay }: DayRange): void {
  const month = monthOf(firstDay);
  const [first, end] = [firstDayOf(month), Math.min(firstDayOf(month + 1), mark.folded)];
  const others = firstDay - first + Math.max(0, end - lastDay);
  if (others >= lastDay - firstDay || end <= firstDay) {
    sumTable(query, table, { first: firstDay, last: lastDay });
    return;
  }
  sumTable(query, months, { first: month, last: month + 1 });
  sumTable(query, table, { first, last: firstDay, isLess: true });
  sumTable(query, table, { first: lastDay, last: end, isLess: true });
  sumTable(query, table, { first: end, last: lastDay });
}

/** Nothing is known after the newest request, so that a span that ends there ends with its hour. */
function sumHours(query: SqliteUsageQuery, mark: Mark, span: TimeSpan): readonly TimeSpan[] {
  const table = findTable(query, "hour");
  const to = span.to > mark.newest ? (hourOf(mark.newest) + 1) * hourLength : span.to;
  const firstHour = Math.max(Math.ceil(span.from / hourLength), mark.hourly);
  const lastHour = Math.floor(to / hourLength);
  if (!table || firstHour >= lastHour) return [span];
  sumTable(query, table, { first: firstHour, last: lastHour });
  const whole = { from: firstHour * hourLength, to: lastHour * hourLength };
  sumTail(query, mark, whole);
  const edges = [
    { from: span.from, to: whole.from },
    { from: whole.to, to },
  ];
  return edges.filter((edge) => edge.from < edge.to);
}

/** What no sheet holds yet. */
function sumTail(query: SqliteUsageQuery, { rolled, last }: Mark, span: TimeSpan): void {
  sumPiece(query, span, { first: rolled + 1, last, isIndexed: false });
}

/** Hours, days or months, the last one excluded; to be added, or taken off. */
interface Periods {
  readonly first: number;
  readonly last: number;
  readonly isLess?: boolean;
}

/** Sums the rows of a sheet. */
function sumTable(
  query: SqliteUsageQuery,
  { table, period }: SqliteRollupTable,
  { first, last, isLess = false }: Periods,
): void {
  if (first >= last) return;
  const { dimensions, filters, names } = query;
  const columns = dimensions.map((dimension, position) => `${selectDimension(dimension, period).sql} AS g${position}`);
  const where = writeFilters(filters, names, period);
  const sums = sumNames.map((name) => `total(${name}) AS ${name}`);
  const sql = `SELECT ${[...columns, ...sums].join(", ")} FROM ${table}
    WHERE ${period} >= ? AND ${period} < ?${where.sql} ${groupClause(dimensions)}`;
  addRows(query, { sql, values: [first, last, ...where.values], source: period, isLess });
}
