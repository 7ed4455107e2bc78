import { sumNames } from "../../../src/usage/sums.ts";
import { dayLength, dayOf, firstDayOf, hourLength, hourOf, monthOf } from "../../shared/usage/facts.ts";
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

function sumDays(parts: DaySums, days: DayRange): void {
  const { inquiry, sheet, mark } = parts;
  const { firstDay, lastDay } = days;
  const months = findSheet(inquiry, "month");
  if (months && String(months.columns) === String(sheet.columns)) {
    const { firstMonth, lastMonth, edges } = cutAtMonths(days, dayOf(mark.newest));
    sumSheet(inquiry, months, { first: firstMonth, last: lastMonth });
    sumSheet(inquiry, sheet, { first: Math.max(mark.folded, firstDayOf(firstMonth)), last: firstDayOf(lastMonth) });
    for (const edge of edges) sumEdge(parts, months, edge);
  } else sumSheet(inquiry, sheet, { first: firstDay, last: lastDay });
  sumTail(inquiry, mark, { from: firstDay * dayLength, to: lastDay * dayLength });
}

/** Days that are no whole month: the sum of the first one's month less its other days, where these are fewer. A month holds its days before `folded`. */
function sumEdge({ inquiry, sheet, mark }: DaySums, months: Sheet, { firstDay, lastDay }: DayRange): void {
  const month = monthOf(firstDay);
  const [first, end] = [firstDayOf(month), Math.min(firstDayOf(month + 1), mark.folded)];
  const others = firstDay - first + Math.max(0, end - lastDay);
  if (others >= lastDay - firstDay || end <= firstDay) {
    sumSheet(inquiry, sheet, { first: firstDay, last: lastDay });
    return;
  }
  sumSheet(inquiry, months, { first: month, last: month + 1 });
  sumSheet(inquiry, sheet, { first, last: firstDay, isLess: true });
  sumSheet(inquiry, sheet, { first: lastDay, last: end, isLess: true });
  sumSheet(inquiry, sheet, { first: end, last: lastDay });
}

/** Nothing is known after the newest request, so that a span that ends there ends with its hour. */
function sumHours(inquiry: Inquiry, mark: Mark, span: Span): readonly Span[] {
  const sheet = findSheet(inquiry, "hour");
  const to = span.to > mark.newest ? (hourOf(mark.newest) + 1) * hourLength : span.to;
  const firstHour = Math.max(Math.ceil(span.from / hourLength), mark.hourly);
  const lastHour = Math.floor(to / hourLength);
  if (!sheet || firstHour >= lastHour) return [span];
  sumSheet(inquiry, sheet, { first: firstHour, last: lastHour });
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

/** Hours, days or months, the last one excluded; to be added, or taken off. */
interface Periods {
  readonly first: number;
  readonly last: number;
  readonly isLess?: boolean;
}

/** Sums the rows of a sheet. */
function sumSheet(inquiry: Inquiry, { table, period }: Sheet, { first, last, isLess = false }: Periods): void {
  if (first >= last) return;
  const { dimensions, filters, names } = inquiry;
  const columns = dimensions.map((dimension, position) => `${selectDimension(dimension, period).sql} AS g${position}`);
  const where = writeFilters(filters, names, period);
  const sums = sumNames.map((name) => `total(${name}) AS ${name}`);
  const sql = `SELECT ${[...columns, ...sums].join(", ")} FROM ${table}
    WHERE ${period} >= ? AND ${period} < ?${where.sql} ${groupClause(dimensions)}`;
  addRows(inquiry, { sql, values: [first, last, ...where.values], source: period, isLess });
}
