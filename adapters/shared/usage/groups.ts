import { addSums, type Sums } from "../../../src/engine/metering/usage/sums.ts";
import type { Dimension, DimensionValue, UsageRow } from "../../../src/engine/ports/ledger.ts";

/** Sums by the values of some dimensions, added to piece by piece. */
export interface Groups {
  add(values: readonly DimensionValue[], sums: Readonly<Sums>): void;
  /** The groups of which something is left, in the order of their values, dimension by dimension: nothing before numbers before text. */
  rows(): readonly UsageRow[];
}

interface UsageGroup {
  readonly values: readonly DimensionValue[];
  readonly sums: Sums;
}

/** No groups yet. */
export function groupBy(dimensions: readonly Dimension[]): Groups {
  const groups = new Map<string, UsageGroup>();
  return {
    add(values, sums) {
      const name = JSON.stringify(values);
      const group = groups.get(name);
      if (group) addSums(group.sums, sums);
      else groups.set(name, { values, sums: { ...sums } });
    },
    rows() {
      const left = [...groups.values()].filter(({ sums }) => sums.requests !== 0 || sums.attempts !== 0);
      const sorted = left.sort((one, other) => compareAll(one.values, other.values));
      return sorted.map(({ values, sums }) => ({
        group: Object.fromEntries(dimensions.map((dimension, position) => [dimension, values[position] ?? null])),
        ...sums,
      }));
    },
  };
}

function compareAll(values: readonly DimensionValue[], others: readonly DimensionValue[]): number {
  for (const [position, value] of values.entries()) {
    const order = compare(value, others[position] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compare(value: DimensionValue, other: DimensionValue): number {
  if (typeof value !== typeof other) return rankOf(value) - rankOf(other);
  if (value === other || value === null || other === null) return 0;
  return value < other ? -1 : 1;
}

function rankOf(value: DimensionValue): number {
  if (value === null) return 0;
  return typeof value === "number" ? 1 : 2;
}
