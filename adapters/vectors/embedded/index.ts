import type { NamedVector, VectorIndex } from "../../../src/engine/ports/vectors.ts";
import { positive } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { mostDimensions } from "./kernel.ts";
import { createRows, type VectorRows } from "./rows.ts";
import { findNearest } from "./search.ts";
import { createSpace, type Space } from "./space.ts";

/** How much the index may hold. */
export interface EmbeddedVectorsOptions {
  /** Vectors of all scopes together, 100,000 by default; those that were neither put nor found for the longest go first. */
  readonly maxEntries?: number | undefined;
}

/** One vector and where it is. */
interface VectorEntry {
  readonly name: string;
  readonly scope: string;
  readonly id: string;
  readonly rows: VectorRows;
  readonly space: Space<VectorEntry>;
  readonly row: number;
}

/** All that is held. */
interface VectorState {
  /** By scope and id; the first was not used for the longest. */
  readonly entries: Map<string, VectorEntry>;
  /** By scope, space and length. */
  readonly spaces: Map<string, Space<VectorEntry>>;
  /** By length. */
  readonly rows: Map<number, VectorRows>;
}

/**
 * Vectors in the memory of this process, gone with it: every vector of the space is compared, 16 at a time, so that the nearest is
 * found, not one of the near. Two bytes a dimension; up to 8,192 dimensions.
 */
export function embeddedVectors(options: EmbeddedVectorsOptions = {}): VectorIndex {
  const { maxEntries = 100_000 } = checkedOptions(options, { maxEntries: positive }, { of: "embeddedVectors" });
  const state: VectorState = { entries: new Map(), spaces: new Map(), rows: new Map() };
  return {
    put(scope, { space, id, vector }) {
      drop(state, nameOf(scope, id));
      if (vector.length === 0 || vector.length > mostDimensions) return;
      const rows = state.rows.get(vector.length) ?? createRows(vector.length);
      state.rows.set(vector.length, rows);
      const shape = rows.measure(vector);
      if (!shape) return;
      while (state.entries.size >= maxEntries) dropOldest(state);
      add(state, { scope, id, space, vector }, rows.add(vector, shape));
    },
    nearest(scope, { space, vector, atLeast }) {
      const members = state.spaces.get(nameOf(scope, space, vector.length));
      const rows = members && state.rows.get(vector.length);
      const shape = rows?.measure(vector);
      const found = rows && shape && findNearest(rows, { vector, shape, among: members.rows, atLeast });
      const entry = found && members?.ownerOf(found.row);
      if (!found || !entry) return undefined;
      touch(state, entry);
      return { id: entry.id, similarity: found.similarity };
    },
    delete: (scope, id) => drop(state, nameOf(scope, id)),
    clear(scope) {
      const names = [...state.entries.values()].filter((entry) => entry.scope === scope).map(({ name }) => name);
      for (const name of names) drop(state, name);
      return names.length;
    },
  };
}

/** One name for several parts, which no others have: JSON says where each ends. */
function nameOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

function add(
  { entries, spaces, rows }: VectorState,
  { scope, id, space, vector }: NamedVector & Scoped,
  row: number,
): void {
  const spaceName = nameOf(scope, space, vector.length);
  const members = spaces.get(spaceName) ?? createSpace<VectorEntry>(spaceName);
  spaces.set(spaceName, members);
  const name = nameOf(scope, id);
  const entry: VectorEntry = { name, scope, id, rows: rows.get(vector.length) as VectorRows, space: members, row }; // the row is in it
  members.add(entry);
  entries.set(name, entry);
}

interface Scoped {
  readonly scope: string;
}

function drop({ entries, spaces }: VectorState, name: string): boolean {
  const entry = entries.get(name);
  if (!entry) return false;
  const { rows, space, row } = entry;
  entries.delete(name);
  rows.remove(row);
  space.remove(entry);
  if (space.rows.length === 0) spaces.delete(space.name);
  return true;
}

function dropOldest(state: VectorState): void {
  const [oldest] = state.entries.keys();
  if (oldest !== undefined) drop(state, oldest);
}

function touch({ entries }: VectorState, entry: VectorEntry): void {
  entries.delete(entry.name);
  entries.set(entry.name, entry);
}
