import { addSums, noSums, type Sums, sumNames } from "../../../src/usage/sums.ts";
import { firstDayOf, monthOf } from "../../shared/usage/facts.ts";
import type { Cell } from "./cells.ts";
import type { Connection } from "./connection.ts";
import { type Sheet, sheets } from "./schema.ts";

/** Sums of one row of a sheet. */
interface SheetRow {
  /** Day or month, then the columns of the sheet. */
  readonly values: readonly number[];
  readonly sums: Sums;
}

/** Adds cells to the sums, inside a transaction; when a new day has begun, the days before it are added to their months. */
export function writeSums(connection: Connection, cells: readonly Cell[], newestDay: number): void {
  const folded = Number(connection.prepare("SELECT folded FROM mark").get()?.folded);
  const late = cells.filter(({ columns }) => columns.day < folded);
  for (const sheet of sheets) {
    for (const row of bringDown(sheet, sheet.period === "day" ? cells : late)) addRow(connection, sheet, row);
  }
  if (newestDay <= folded) return;
  const days = connection.prepare("SELECT DISTINCT day FROM usage_by_target WHERE day >= ? AND day < ?");
  for (const { day } of days.all(folded, newestDay)) foldDay(connection, Number(day));
  connection.prepare("UPDATE mark SET folded = ?").run(newestDay);
}

/** Brings cells down to the columns of a sheet. */
function bringDown({ period, columns }: Sheet, cells: readonly Cell[]): Iterable<SheetRow> {
  const rows = new Map<string, SheetRow>();
  for (const cell of cells) {
    const { day } = cell.columns;
    const values = [period === "day" ? day : monthOf(day), ...columns.map((column) => cell.columns[column])];
    const name = values.join(" ");
    const row = rows.get(name) ?? { values, sums: noSums() };
    rows.set(name, row);
    addSums(row.sums, cell.sums);
  }
  return rows.values();
}

const sumsToAdd = sumNames.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");

function addRow(connection: Connection, { table, columns }: Sheet, { values, sums }: SheetRow): void {
  const marks = Array.from({ length: columns.length + 1 + sumNames.length }, () => "?").join(", ");
  const sql = `INSERT INTO ${table} VALUES (${marks}) ON CONFLICT DO UPDATE SET ${sumsToAdd}`;
  connection.prepare(sql).run(...values, ...sumNames.map((name) => sums[name]));
}

/** The sheet of days that a sheet of months is made of. */
function daysOf(months: Sheet): Sheet | undefined {
  return sheets.find(({ period, columns }) => period === "day" && String(columns) === String(months.columns));
}

function foldDay(connection: Connection, day: number): void {
  for (const months of sheets.filter(({ period }) => period === "month")) {
    const all = [...months.columns, ...sumNames].join(", ");
    const sql = `INSERT INTO ${months.table} SELECT ?, ${all} FROM ${daysOf(months)?.table} WHERE day = ? ON CONFLICT DO UPDATE SET ${sumsToAdd}`;
    connection.prepare(sql).run(monthOf(day), day);
  }
}

/** Removes the sums of the days before one, inside a transaction; the month that it lies in is summed again from what is left. */
export function pruneSums(connection: Connection, day: number): void {
  for (const { table } of sheets.filter(({ period }) => period === "day")) {
    connection.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day);
  }
  const month = monthOf(day);
  for (const months of sheets.filter(({ period }) => period === "month")) {
    const { table, columns } = months;
    connection.prepare(`DELETE FROM ${table} WHERE month <= ?`).run(month);
    const sums = sumNames.map((name) => `sum(${name})`);
    connection
      .prepare(
        `INSERT INTO ${table} SELECT ?, ${[...columns, ...sums].join(", ")} FROM ${daysOf(months)?.table}
         WHERE day >= ? AND day < min(?, (SELECT folded FROM mark)) GROUP BY ${columns.join(", ")}`,
      )
      .run(month, firstDayOf(month), firstDayOf(month + 1));
  }
}
