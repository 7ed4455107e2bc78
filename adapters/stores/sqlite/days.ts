import { sumNames } from "../../../src/usage/sums.ts";
import { dayLength, dayOf, firstDayOf } from "../../shared/usage/facts.ts";
import { cutAtMidnight, cutAtMonths, type Span } from "../../shared/usage/range.ts";
import { isInSheet, selectDimension, writeFilters } from "./columns.ts";
import { addRows, groupClause, type Inquiry } from "./inquiry.ts";
import { sumPiece } from "./pieces.ts";
import { readMark } from "./ranges.ts";
import { type Sheet, sheets } from "./schema.ts";

/** The smallest sheet of a period that has all that is asked; `undefined` when none has. */
export function findSheet({ dimensions, filters }: Inquiry, period: Sheet["period"]): Sheet | undefined {
  const needed = [...dimensions, ...filters.map(([dimension]) => dimension)];
  return sheets.find((sheet) => sheet.period === period && needed.every((dimension) => isInSheet(dimension, sheet)));
}

/** Sums the whole days of a span, and returns what of it is left. */
export function sumDays(inquiry: Inquiry, sheet: Sheet, span: Span): readonly Span[] {
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
