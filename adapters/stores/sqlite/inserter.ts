import type { StatementSync } from "node:sqlite";
import type { Connection } from "./connection.ts";

/** What a column can hold. */
export type Value = string | number | null;

/** A table and the order in which its rows are given. */
export interface Table {
  readonly name: string;
  /** The columns that every row has something of its own in. */
  readonly columns: string;
  /** Those behind them, with what most rows have there: such rows are written by statements that say it themselves. */
  readonly rare: Readonly<Record<string, 0 | null>>;
  /** What becomes of a row that is there already: an `ON CONFLICT` clause. */
  readonly onConflict?: string;
}

/** Collects rows, and writes them. */
export interface Inserter {
  /** Takes a row, in the order of the table's columns. */
  add(row: readonly Value[]): void;
  /** Writes the rows that were added and are not written yet. */
  flush(): void;
  /** Forgets them. */
  drop(): void;
}

/** Rows at most that one statement writes: a statement of its own costs a row a sixth of all. */
const rowsAtOnce = 8;

/** Writes rows of a table, several at once. */
export function openInserter(connection: Connection, table: Table): Inserter {
  const usual = Object.values(table.rare);
  const width = table.columns.split(",").length;
  const short = openBatch(connection, table, false);
  const whole = openBatch(connection, table, true);
  const isUsual = (row: readonly Value[]): boolean => {
    for (let place = 0; place < usual.length; place++) if (row[width + place] !== usual[place]) return false;
    return true;
  };
  return {
    add: (row) => (isUsual(row) ? short : whole).add(row),
    flush() {
      short.flush();
      whole.flush();
    },
    drop() {
      short.drop();
      whole.drop();
    },
  };
}

/** Rows of one shape. */
function openBatch(
  connection: Connection,
  { name, columns, rare, onConflict = "" }: Table,
  isWhole: boolean,
): Inserter {
  const all = [columns, ...Object.keys(rare)].join(", ");
  const bound = columns.split(",").length + (isWhole ? Object.keys(rare).length : 0);
  const said = isWhole ? [] : Object.values(rare).map(String);
  const row = `(${[...Array.from({ length: bound }, () => "?"), ...said].join(", ")})`;
  const statements = new Map<number, StatementSync>();
  const statementOf = (rows: number): StatementSync => {
    const known = statements.get(rows);
    if (known) return known;
    const sql = `INSERT INTO ${name} (${all}) VALUES ${Array.from({ length: rows }, () => row).join(", ")} ${onConflict}`;
    const statement = connection.prepare(sql);
    statements.set(rows, statement);
    return statement;
  };
  const values: Value[] = Array.from({ length: bound * rowsAtOnce }, () => null); // lists that grow cost more than what is in them
  let filled = 0;
  const flush = (): void => {
    if (filled === 0) return;
    const count = filled;
    filled = 0;
    statementOf(count / bound).run(...(count === values.length ? values : values.slice(0, count)));
  };
  return {
    add(given) {
      for (let column = 0; column < bound; column++) values[filled + column] = given[column] as Value;
      filled += bound;
      if (filled === values.length) flush();
    },
    flush,
    drop() {
      filled = 0;
    },
  };
}
