import { freezeAll } from "../../../src/ports/frozen.ts";
import type { RecordKind, Records, RemoveOutcome, Stored } from "../../../src/ports/records.ts";
import { countChanges } from "../../shared/records/changes.ts";
import { readCursor, writeCursor } from "../../shared/records/cursor.ts";
import { hashOf, type Link, listLinks, listReferences, readWhere } from "../../shared/records/links.ts";
import { createIndex, type SortedIndex } from "./sorted-index.ts";

type AnyStored = Stored<RecordKind>;

/** Everything of one kind. */
interface Shelf {
  readonly byId: Map<string, AnyStored>;
  readonly byHash: Map<string, AnyStored>;
  readonly all: SortedIndex;
  /** By field and value. */
  readonly byLink: Map<string, SortedIndex>;
}

type Shelves = Map<RecordKind, Shelf>;

/** Records in the memory of this process. */
export function memoryRecords(): Records {
  const shelves: Shelves = new Map();
  const changes = countChanges();
  return {
    put(kind, record, expected) {
      const shelf = shelfOf(shelves, kind);
      const version = shelf.byId.get(record.id)?.version ?? 0;
      if (version !== expected) return { kind: "moved", version };
      const hash = hashOf(record);
      const holder = hash === undefined ? undefined : shelf.byHash.get(hash);
      if (holder && holder.record.id !== record.id) return { kind: "taken", field: "hash" };
      const dangling = listLinks(kind, record).find((link) => !isThere(shelves, link));
      if (dangling) return { kind: "dangling", field: dangling.field };
      takeOut(shelf, kind, record.id);
      putIn(shelf, kind, { version: version + 1, record: freezeAll(structuredClone(record)) });
      changes.note(kind);
      return { kind: "stored", version: version + 1 };
    },
    get: <Kind extends RecordKind>(kind: Kind, id: string) =>
      shelfOf(shelves, kind).byId.get(id) as Stored<Kind> | undefined,
    findByHash: <Kind extends RecordKind>(kind: Kind, hash: string) =>
      shelfOf(shelves, kind).byHash.get(hash) as Stored<Kind> | undefined,
    list<Kind extends RecordKind>(kind: Kind, { where, limit, after }: Parameters<Records["list"]>[1]) {
      const shelf = shelfOf(shelves, kind);
      const from = after === undefined ? undefined : readCursor(after);
      const places = indexOf(shelf, readWhere(where))?.after(from, limit + 1) ?? [];
      const records = places.slice(0, limit).map(({ id }) => shelf.byId.get(id) as Stored<Kind>);
      const last = records.at(-1);
      return places.length > limit && last ? { records, next: writeCursor(last.record) } : { records };
    },
    count: (kind, where) => indexOf(shelfOf(shelves, kind), readWhere(where))?.size ?? 0,
    remove(kind, id, expected) {
      const refusal = refuseRemoval(shelves, { kind, id, expected });
      if (refusal) return refusal;
      takeOut(shelfOf(shelves, kind), kind, id);
      changes.note(kind);
      return { kind: "removed" };
    },
    stamp: (kinds) => changes.of(kinds),
  };
}

function shelfOf(shelves: Shelves, kind: RecordKind): Shelf {
  let shelf = shelves.get(kind);
  if (!shelf) {
    shelf = { byId: new Map(), byHash: new Map(), all: createIndex(), byLink: new Map() };
    shelves.set(kind, shelf);
  }
  return shelf;
}

function isThere(shelves: Shelves, { names, value }: Link): boolean {
  return names === undefined || shelfOf(shelves, names).byId.has(value);
}

function nameLink(field: string, value: string): string {
  return JSON.stringify([field, value]);
}

function indexOf(shelf: Shelf, where: readonly [string, string] | undefined): SortedIndex | undefined {
  return where ? shelf.byLink.get(nameLink(...where)) : shelf.all;
}

function putIn(shelf: Shelf, kind: RecordKind, stored: AnyStored): void {
  const { record } = stored;
  const hash = hashOf(record);
  shelf.byId.set(record.id, stored);
  if (hash !== undefined) shelf.byHash.set(hash, stored);
  shelf.all.add(record);
  for (const { field, value } of listLinks(kind, record)) {
    const name = nameLink(field, value);
    const index = shelf.byLink.get(name) ?? createIndex();
    shelf.byLink.set(name, index);
    index.add(record);
  }
}

function takeOut(shelf: Shelf, kind: RecordKind, id: string): void {
  const stored = shelf.byId.get(id);
  if (!stored) return;
  const { record } = stored;
  const hash = hashOf(record);
  shelf.byId.delete(id);
  if (hash !== undefined) shelf.byHash.delete(hash);
  shelf.all.remove(record);
  for (const { field, value } of listLinks(kind, record)) {
    const name = nameLink(field, value);
    const index = shelf.byLink.get(name);
    index?.remove(record);
    if (index?.size === 0) shelf.byLink.delete(name);
  }
}

/** A wish to remove a record. */
interface Removal {
  readonly kind: RecordKind;
  readonly id: string;
  readonly expected: number | undefined;
}

function refuseRemoval(shelves: Shelves, { kind, id, expected }: Removal): RemoveOutcome | undefined {
  const stored = shelfOf(shelves, kind).byId.get(id);
  if (!stored) return { kind: "missing" };
  if (expected !== undefined && expected !== stored.version) return { kind: "moved", version: stored.version };
  for (const { kind: by, field } of listReferences(kind)) {
    const count = shelfOf(shelves, by).byLink.get(nameLink(field, id))?.size ?? 0;
    if (count > 0) return { kind: "needed", by, count };
  }
  return undefined;
}
