import { addSums, noSums, type Sums, sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import { dayOfHour, firstDayOf, monthOf } from "../../../shared/usage/ledger-facts.ts";
import type { Connection } from "../connection.ts";
import { type InsertTable, openInserter } from "../rows/inserter.ts";
import { rollupTables, type SqliteRollupTable } from "../schema.ts";
import type { Rollup } from "./rollup-key.ts";

/** Sums of one row of a sheet. */
interface RollupRow {
  /** Hour, day or month, then the columns of the sheet. */
  readonly values: readonly number[];
  readonly sums: Sums;
}

/** Adds cells to the sums, inside a transaction; when a new day has begun, the days before it are added to their months. */
export function writeSums(connection: Connection, rollups: readonly Rollup[], newestDay: number): void {
  const folded = Number(connection.prepare("SELECT folded FROM mark").get()?.folded);
  const late = rollups.filter(({ columns }) => dayOfHour(columns.hour) < folded);
  for (const table of rollupTables) {
    const rows = openInserter(connection, tableOf(table));
    for (const { values, sums } of bringDown(table, table.period === "month" ? late : rollups)) {
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
function bringDown({ period, columns }: SqliteRollupTable, rollups: readonly Rollup[]): Iterable<RollupRow> {
  const rows = new Map<string, RollupRow>();
  for (const rollup of rollups) {
    const values = [periodOf(period, rollup.columns.hour), ...columns.map((column) => rollup.columns[column])];
    const name = values.join(" ");
    const row = rows.get(name) ?? { values, sums: noSums() };
    rows.set(name, row);
    addSums(row.sums, rollup.sums);
  }
  return rows.values();
}

function periodOf(period: SqliteRollupTable["period"], hour: number): number {
  if (period === "hour") return hour;
  return period === "day" ? dayOfHour(hour) : monthOf(dayOfHour(hour));
}

const sumsToAdd = sumNames.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");

function tableOf({ table, period, columns }: SqliteRollupTable): InsertTable {
  const onConflict = `ON CONFLICT DO UPDATE SET ${sumsToAdd}`;
  return { name: table, columns: [period, ...columns, ...sumNames].join(", "), rare: {}, onConflict };
}

/** The sheet of days that a sheet of months is made of. */
function daysOf(months: SqliteRollupTable): SqliteRollupTable | undefined {
  return rollupTables.find(({ period, columns }) => period === "day" && String(columns) === String(months.columns));
}

function foldDay(connection: Connection, day: number): void {
  for (const months of rollupTables.filter(({ period }) => period === "month")) {
    const all = [...months.columns, ...sumNames].join(", ");
    const sql = `INSERT INTO ${months.table} (month, ${all}) SELECT ?, ${all} FROM ${daysOf(months)?.table} WHERE day = ? ON CONFLICT DO UPDATE SET ${sumsToAdd}`;
    connection.prepare(sql).run(monthOf(day), day);
  }
}

/** Removes the sums of the days before one, inside a transaction; the month that it lies in is summed again from what is left. */
export function pruneSums(connection: Connection, day: number): void {
  for (const { table } of rollupTables.filter(({ period }) => period === "day")) {
    connection.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day);
  }
  const month = monthOf(day);
  for (const months of rollupTables.filter(({ period }) => period === "month")) {
    const { table, columns } = months;
    connection.prepare(`DELETE FROM ${table} WHERE month <= ?`).run(month);
    const sums = sumNames.map((name) => `sum(${name})`);
    connection
      .prepare(
        `INSERT INTO ${table} (month, ${[...columns, ...sumNames].join(", ")}) SELECT ?, ${[...columns, ...sums].join(", ")} FROM ${daysOf(months)?.table}
         WHERE day >= ? AND day < min(?, (SELECT folded FROM mark)) GROUP BY ${columns.join(", ")}`,
      )
      .run(month, firstDayOf(month), firstDayOf(month + 1));
  }
}
