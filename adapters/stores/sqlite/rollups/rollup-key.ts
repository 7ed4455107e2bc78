import type { Sums } from "../../../../src/engine/metering/usage/sums.ts";
import type { RollupColumn } from "../schema.ts";

/** Sums for one combination of all that usage is summed by. */
export interface Rollup {
  readonly columns: RollupKey;
  readonly sums: Sums;
}

/** What a cell holds the sums of, as numbers. */
export type RollupKey = Readonly<Record<RollupColumn | "hour", number>>;

/** Cells by their columns. */
export interface Rollups extends Iterable<Rollup> {
  find(columns: RollupKey): Rollup | undefined;
  add(rollup: Rollup): void;
  clear(): void;
}

/** No cells. Found by key and model, which is all that differs between most, without a name being made of the columns. */
export function openRollups(): Rollups {
  const all: Rollup[] = [];
  const byKey = new Map<number, Map<number, Rollup[]>>();
  return {
    find: (columns) =>
      byKey
        .get(columns.key)
        ?.get(columns.model)
        ?.find((rollup) => isSame(rollup.columns, columns)),
    add(rollup) {
      const { key, model } = rollup.columns;
      all.push(rollup);
      const ofKey = byKey.get(key) ?? new Map<number, Rollup[]>();
      const ofModel = ofKey.get(model) ?? [];
      ofModel.push(rollup);
      byKey.set(key, ofKey.set(model, ofModel));
    },
    clear() {
      all.length = 0;
      byKey.clear();
    },
    [Symbol.iterator]: () => all.values(),
  };
}

function isSame(one: RollupKey, other: RollupKey): boolean {
  return (
    one.hour === other.hour &&
    one.type === other.type &&
    one.provider === other.provider &&
    one.project === other.project &&
    one.customer === other.customer
  );
}
