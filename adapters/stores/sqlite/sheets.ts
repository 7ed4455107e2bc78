import { addSums, noSums, type Sums, sumNames } from "../../../src/usage/sums.ts";
import { dayOfHour, firstDayOf, monthOf } from "../../shared/usage/facts.ts";
import type { Cell } from "./cells.ts";
import type { Connection } from "./connection.ts";
import { openInserter, type Table } from "./inserter.ts";
import { type Sheet, sheets } from "./schema.ts";

/** Sums of one row of a sheet. */
interface SheetRow {
  /** Hour, day or month, then the columns of the sheet. */
  readonly values: readonly number[];
  readonly sums: Sums;
}

/** Adds cells to the sums, inside a transaction; when a new day has begun, the days before it are added to their months. */
export function writeSums(connection: Connection, cells: readonly Cell[], newestDay: number): void {
  const folded = Number(connection.prepare("SELECT folded FROM mark").get()?.folded);
  const late = cells.filter(({ columns }) => dayOfHour(columns.hour) < folded);
  for (const sheet of sheets) {
    const rows = openInserter(connection, tableOf(sheet));
    for (const { values, sums } of bringDown(sheet, sheet.period === "month" ? late : cells)) {
      rows.add([...values, ...sumNames.map((name) => sums[name])]);
    }
    rows.flush();
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
    const values = [periodOf(period, cell.columns.hour), ...columns.map((column) => cell.columns[column])];
    const name = values.join(" ");
    const row = rows.get(name) ?? { values, sums: noSums() };
    rows.set(name, row);
    addSums(row.sums, cell.sums);
  }
  return rows.values();
}

function periodOf(period: Sheet["period"], hour: number): number {
  if (period === "hour") return hour;
  return period === "day" ? dayOfHour(hour) : monthOf(dayOfHour(hour));
}

const sumsToAdd = sumNames.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");

function tableOf({ table, period, columns }: Sheet): Table {
  const onConflict = `ON CONFLICT DO UPDATE SET ${sumsToAdd}`;
  return { name: table, columns: [period, ...columns, ...sumNames].join(", "), rare: {}, onConflict };
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
