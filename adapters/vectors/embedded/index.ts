import { positive } from "../../../src/ports/checks.ts";
import type { NamedVector, VectorIndex } from "../../../src/ports/vectors.ts";
import { given } from "../../shared/options.ts";
import { mostDimensions } from "./kernel.ts";
import { createRows, type Rows } from "./rows.ts";
import { findNearest } from "./search.ts";
import { createSpace, type Space } from "./space.ts";

/** How much the index may hold. */
export interface EmbeddedVectorsOptions {
  /** Vectors of all scopes together, 100,000 by default; those that were neither put nor found for the longest go first. */
  readonly maxEntries?: number | undefined;
}

/** One vector and where it is. */
interface Entry {
  readonly name: string;
  readonly scope: string;
  readonly id: string;
  readonly rows: Rows;
  readonly space: Space<Entry>;
  readonly row: number;
}

/** All that is held. */
interface Shelf {
  /** By scope and id; the first was not used for the longest. */
  readonly entries: Map<string, Entry>;
  /** By scope, space and length. */
  readonly spaces: Map<string, Space<Entry>>;
  /** By length. */
  readonly rows: Map<number, Rows>;
}

/**
 * Vectors in the memory of this process, gone with it: every vector of the space is compared, 16 at a time, so that the nearest is
 * found, not one of the near. Two bytes a dimension; up to 8,192 dimensions.
 */
export function embeddedVectors(options: EmbeddedVectorsOptions = {}): VectorIndex {
  const { maxEntries = 100_000 } = given(options, { maxEntries: positive }, { of: "embeddedVectors" });
  const shelf: Shelf = { entries: new Map(), spaces: new Map(), rows: new Map() };
  return {
    put(scope, { space, id, vector }) {
      drop(shelf, nameOf(scope, id));
      if (vector.length === 0 || vector.length > mostDimensions) return;
      const rows = shelf.rows.get(vector.length) ?? createRows(vector.length);
      shelf.rows.set(vector.length, rows);
      const shape = rows.measure(vector);
      if (!shape) return;
      while (shelf.entries.size >= maxEntries) dropOldest(shelf);
      add(shelf, { scope, id, space, vector }, rows.add(vector, shape));
    },
    nearest(scope, { space, vector, atLeast }) {
      const members = shelf.spaces.get(nameOf(scope, space, vector.length));
      const rows = members && shelf.rows.get(vector.length);
      const shape = rows?.measure(vector);
      const found = rows && shape && findNearest(rows, { vector, shape, among: members.rows, atLeast });
      const entry = found && members?.ownerOf(found.row);
      if (!found || !entry) return undefined;
      touch(shelf, entry);
      return { id: entry.id, similarity: found.similarity };
    },
    delete: (scope, id) => drop(shelf, nameOf(scope, id)),
    clear(scope) {
      const names = [...shelf.entries.values()].filter((entry) => entry.scope === scope).map(({ name }) => name);
      for (const name of names) drop(shelf, name);
      return names.length;
    },
  };
}

/** One name for several parts, which no others have: JSON says where each ends. */
function nameOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

function add({ entries, spaces, rows }: Shelf, { scope, id, space, vector }: NamedVector & Scoped, row: number): void {
  const spaceName = nameOf(scope, space, vector.length);
  const members = spaces.get(spaceName) ?? createSpace<Entry>(spaceName);
  spaces.set(spaceName, members);
  const name = nameOf(scope, id);
  const entry: Entry = { name, scope, id, rows: rows.get(vector.length) as Rows, space: members, row }; // the row is in it
  members.add(entry);
  entries.set(name, entry);
}

interface Scoped {
  readonly scope: string;
}

function drop({ entries, spaces }: Shelf, name: string): boolean {
  const entry = entries.get(name);
  if (!entry) return false;
  const { rows, space, row } = entry;
  entries.delete(name);
  rows.remove(row);
  space.remove(entry);
  if (space.rows.length === 0) spaces.delete(space.name);
  return true;
}

function dropOldest(shelf: Shelf): void {
  const [oldest] = shelf.entries.keys();
  if (oldest !== undefined) drop(shelf, oldest);
}

function touch({ entries }: Shelf, entry: Entry): void {
  entries.delete(entry.name);
  entries.set(entry.name, entry);
}
