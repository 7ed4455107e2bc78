import type { StatementSync } from "node:sqlite";
import type { Connection } from "../connection.ts";

/** What a column can hold. */
export type Value = string | number | null;

/** A table and the order in which its rows are given. */
export interface InsertTable {
  readonly name: string;
  /** The columns that every row has something of its own in. */
  readonly columns: string;
  /** Those behind them, with what most rows have there: statements say it themselves, and bind what is something else. At most 30. */
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

/** Shapes that have statements of their own; rows of any other bind all columns. */
const mostShapes = 32;

/** Writes rows of a table, several of one shape at once. */
export function openInserter(connection: Connection, table: InsertTable): Inserter {
  const usual = Object.values(table.rare);
  const width = table.columns.split(",").length;
  const shapes = new Map<number, Inserter>();
  const openShape = (shape: number): Inserter => {
    const batch = openBatch(connection, table, shape);
    shapes.set(shape, batch);
    return batch;
  };
  const whole = openShape(2 ** usual.length - 1);
  const forEach = (work: (batch: Inserter) => void) => {
    for (const batch of shapes.values()) work(batch);
  };
  return {
    add(row) {
      let shape = 0; // a bit for each rare column that is something else
      for (let offset = 0; offset < usual.length; offset++)
        if (row[width + offset] !== usual[offset]) shape |= 1 << offset;
      const batch = shapes.get(shape) ?? (shapes.size < mostShapes ? openShape(shape) : whole);
      batch.add(row);
    },
    flush: () => forEach((batch) => batch.flush()),
    drop: () => forEach((batch) => batch.drop()),
  };
}

/** Rows of one shape. */
function openBatch(
  connection: Connection,
  { name, columns, rare, onConflict = "" }: InsertTable,
  shape: number,
): Inserter {
  const width = columns.split(",").length;
  const isBound = (offset: number) => (shape & (1 << offset)) !== 0;
  const parameters = [
    ...Array(width).keys(),
    ...Object.keys(rare).flatMap((_, offset) => (isBound(offset) ? width + offset : [])),
  ];
  const constants = Object.values(rare).map((value, offset) => (isBound(offset) ? "?" : String(value)));
  const all = [columns, ...Object.keys(rare)].join(", ");
  const row = `(${[...Array<string>(width).fill("?"), ...constants].join(", ")})`;
  const statements = new Map<number, StatementSync>();
  const statementOf = (rows: number): StatementSync => {
    const known = statements.get(rows);
    if (known) return known;
    const sql = `INSERT INTO ${name} (${all}) VALUES ${Array<string>(rows).fill(row).join(", ")} ${onConflict}`;
    const statement = connection.prepare(sql);
    statements.set(rows, statement);
    return statement;
  };
  const bound = parameters.length;
  const values = Array<Value>(bound * rowsAtOnce).fill(null); // lists that grow cost more than what is in them
  let filled = 0;
  const flush = (): void => {
    if (filled === 0) return;
    const count = filled;
    filled = 0;
    statementOf(count / bound).run(...(count === values.length ? values : values.slice(0, count)));
  };
  return {
    add(provided) {
      for (let column = 0; column < bound; column++)
        values[filled + column] = provided[parameters[column] as number] as Value;
      filled += bound;
      if (filled === values.length) flush();
    },
    flush,
    drop() {
      filled = 0;
    },
  };
}
