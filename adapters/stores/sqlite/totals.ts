import type { LedgerEntry } from "../../../src/ports/ledger.ts";
import { addSums, dayOf, listFacts, monthOf, noSums, type Sums, sumNames } from "../../shared/usage/facts.ts";
import type { Connection } from "./connection.ts";
import type { Names } from "./names.ts";
import { type CellColumn, type Sheet, sheets } from "./schema.ts";

/** Sums for one combination of all that usage is summed by. */
interface Cell {
  readonly columns: Readonly<Record<CellColumn | Sheet["period"], number>>;
  readonly sums: Sums;
}

/** The requests of one day. */
interface DayRange {
  first: number;
  last: number;
}

/** What was appended since the usage tables were written last, summed up as they are. */
export interface Totals {
  /** Requests that are in them. */
  readonly count: number;
  add(id: number, entry: LedgerEntry): void;
  /** Adds them to the usage tables, inside a transaction. */
  write(connection: Connection): void;
  clear(): void;
}

/** Totals of nothing. */
export function openTotals(names: Names): Totals {
  const cells = new Map<string, Cell>();
  const days = new Map<number, DayRange>();
  let count = 0;
  let newest = 0;
  return {
    get count() {
      return count;
    },
    add(id, entry) {
      count++;
      newest = Math.max(newest, entry.at);
      const day = dayOf(entry.at);
      const range = days.get(day);
      if (range) range.last = id;
      else days.set(day, { first: id, last: id });
      addToCells(cells, names, { day, entry });
    },
    write(connection) {
      for (const sheet of sheets) writeSheet(connection, sheet, [...cells.values()]);
      writeDays(connection, days);
      connection
        .prepare(
          "INSERT INTO request_key SELECT key, id FROM request WHERE id > (SELECT rolled FROM mark) AND key > 0 ORDER BY key, id",
        )
        .run();
      connection
        .prepare("UPDATE mark SET rolled = (SELECT coalesce(max(id), rolled) FROM request), newest = max(newest, ?)")
        .run(newest);
    },
    clear() {
      cells.clear();
      days.clear();
      count = 0;
      newest = 0;
    },
  };
}

function addToCells(
  cells: Map<string, Cell>,
  names: Names,
  { day, entry }: { readonly day: number; readonly entry: LedgerEntry },
): void {
  const key = names.give(entry.key_id);
  const project = names.give(entry.project_id);
  const customer = names.give(entry.customer_id);
  const type = names.give(entry.request_type);
  for (const fact of listFacts(entry)) {
    const provider = names.give(fact.provider ?? undefined);
    const model = names.give(fact.model ?? undefined);
    const name = `${day} ${key} ${project} ${customer} ${provider} ${model} ${type}`;
    const cell = cells.get(name);
    if (cell) addSums(cell.sums, fact.sums);
    else
      cells.set(name, {
        columns: { day, month: monthOf(day), key, project, customer, provider, model, type },
        sums: fact.sums,
      });
  }
}

/** Brings the cells down to the columns of a sheet, and adds them to its table. */
function writeSheet(connection: Connection, { table, period, columns: others }: Sheet, cells: readonly Cell[]): void {
  const columns = [period, ...others];
  const rows = new Map<string, { readonly values: readonly number[]; readonly sums: Sums }>();
  for (const cell of cells) {
    const values = columns.map((column) => cell.columns[column]);
    const name = values.join(" ");
    const row = rows.get(name) ?? { values, sums: noSums() };
    rows.set(name, row);
    addSums(row.sums, cell.sums);
  }
  const all = [...columns, ...sumNames];
  const statement = connection.prepare(
    `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})
     ON CONFLICT DO UPDATE SET ${sumNames.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
  );
  for (const { values, sums } of rows.values()) statement.run(...values, ...sumNames.map((name) => sums[name]));
}

function writeDays(connection: Connection, days: ReadonlyMap<number, DayRange>): void {
  const statement = connection.prepare(
    "INSERT INTO day VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
  );
  for (const [day, { first, last }] of days) statement.run(day, first, last);
}
