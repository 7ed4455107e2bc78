import type { Sums } from "../../../src/usage/sums.ts";
import type { CellColumn } from "./schema.ts";

/** Sums for one combination of all that usage is summed by. */
export interface Cell {
  readonly columns: CellColumns;
  readonly sums: Sums;
}

/** What a cell holds the sums of, as numbers. */
export type CellColumns = Readonly<Record<CellColumn | "hour", number>>;

/** Cells by their columns. */
export interface Cells extends Iterable<Cell> {
  find(columns: CellColumns): Cell | undefined;
  add(cell: Cell): void;
  clear(): void;
}

/** No cells. Found by key and model, which is all that differs between most, without a name being made of the columns. */
export function openCells(): Cells {
  const all: Cell[] = [];
  const byKey = new Map<number, Map<number, Cell[]>>();
  return {
    find: (columns) =>
      byKey
        .get(columns.key)
        ?.get(columns.model)
        ?.find((cell) => isSame(cell.columns, columns)),
    add(cell) {
      const { key, model } = cell.columns;
      all.push(cell);
      const ofKey = byKey.get(key) ?? new Map<number, Cell[]>();
      const ofModel = ofKey.get(model) ?? [];
      ofModel.push(cell);
      byKey.set(key, ofKey.set(model, ofModel));
    },
    clear() {
      all.length = 0;
      byKey.clear();
    },
    [Symbol.iterator]: () => all.values(),
  };
}

function isSame(one: CellColumns, other: CellColumns): boolean {
  return (
    one.hour === other.hour &&
    one.type === other.type &&
    one.provider === other.provider &&
    one.project === other.project &&
    one.customer === other.customer
  );
}
