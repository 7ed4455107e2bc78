import { sumNames } from "../../../src/usage/sums.ts";
import { dayLength, dayOf, firstDayOf, hourLength, hourOf } from "../../shared/usage/facts.ts";
import { cutAtMidnight, cutAtMonths, type DayRange, type Span } from "../../shared/usage/range.ts";
import { isInSheet, selectDimension, writeFilters } from "./columns.ts";
import { addRows, groupClause, type Inquiry } from "./inquiry.ts";
import { sumPiece } from "./pieces.ts";
import { type Mark, readMark } from "./ranges.ts";
import { type Sheet, sheets } from "./schema.ts";

/** The smallest sheet of a period that has all that is asked; `undefined` when none has. */
function findSheet({ dimensions, filters }: Inquiry, period: Sheet["period"]): Sheet | undefined {
  const needed = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return sheets.find((sheet) => sheet.period === period && needed.every((dimension) => isInSheet(dimension, sheet)));
}

/** Sums the whole days of a span, and the whole hours before and after them, where there are sums of what is asked; returns what is left. */
export function sumPeriods(inquiry: Inquiry, span: Span): readonly Span[] {
  const sheet = findSheet(inquiry, "day");
  if (!sheet) return [span];
  const mark = readMark(inquiry.connection);
  const { edges, ...days } = cutAtMidnight(span, mark.newest);
  if (days.firstDay < days.lastDay) sumDays({ inquiry, sheet, mark }, days);
  return edges.flatMap((edge) => sumHours(inquiry, mark, edge));
}

/** What days are summed with. */
interface DaySums {
  readonly inquiry: Inquiry;
  readonly sheet: Sheet;
  readonly mark: Mark;
}

function sumDays({ inquiry, sheet, mark }: DaySums, days: DayRange): void {
  const { firstDay, lastDay } = days;
  const twin = findSheet(inquiry, "month");
  if (twin && String(twin.columns) === String(sheet.columns)) {
    const { firstMonth, lastMonth, edges: daysLeft } = cutAtMonths(days, dayOf(mark.newest));
    sumSheet(inquiry, twin, [firstMonth, lastMonth]);
    sumSheet(inquiry, sheet, [Math.max(mark.folded, firstDayOf(firstMonth)), firstDayOf(lastMonth)]);
    for (const edge of daysLeft) sumSheet(inquiry, sheet, [edge.firstDay, edge.lastDay]);
  } else sumSheet(inquiry, sheet, [firstDay, lastDay]);
  sumTail(inquiry, mark, { from: firstDay * dayLength, to: lastDay * dayLength });
}

/** Nothing is known after the newest request, so that a span that ends there ends with its hour. */
function sumHours(inquiry: Inquiry, mark: Mark, span: Span): readonly Span[] {
  const sheet = findSheet(inquiry, "hour");
  const to = span.to > mark.newest ? (hourOf(mark.newest) + 1) * hourLength : span.to;
  const firstHour = Math.max(Math.ceil(span.from / hourLength), mark.hourly);
  const lastHour = Math.floor(to / hourLength);
  if (!sheet || firstHour >= lastHour) return [span];
  sumSheet(inquiry, sheet, [firstHour, lastHour]);
  const whole = { from: firstHour * hourLength, to: lastHour * hourLength };
  sumTail(inquiry, mark, whole);
  const edges = [
    { from: span.from, to: whole.from },
    { from: whole.to, to },
  ];
  return edges.filter((edge) => edge.from < edge.to);
}

/** What no sheet holds yet. */
function sumTail(inquiry: Inquiry, { rolled, last }: Mark, span: Span): void {
  sumPiece(inquiry, span, { first: rolled + 1, last, isIndexed: false });
}

/** Sums the rows of a sheet from one hour, day or month to another, the last one excluded. */
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
