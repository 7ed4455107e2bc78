import type { RecordKind, Records, RemoveOutcome, Stored } from "../../../src/ports/records.ts";
import { freezeAll } from "../../../src/runtime/freeze.ts";
import { countChanges } from "../../shared/records/changes.ts";
import { readCursor, writeCursor } from "../../shared/records/cursor.ts";
import { hashOf, type Link, listLinks, listReferences, readWhere } from "../../shared/records/links.ts";
import { createIndex, type SortedIndex } from "./sorted-index.ts";

type AnyStored = Stored<RecordKind>;

/** Everything of one kind. */
interface RecordsOfKind {
  readonly byId: Map<string, AnyStored>;
  readonly byHash: Map<string, AnyStored>;
  readonly all: SortedIndex;
  /** By field and value. */
  readonly byLink: Map<string, SortedIndex>;
}

type RecordsByKind = Map<RecordKind, RecordsOfKind>;

/** Records in the memory of this process. */
export function memoryRecords(): Records {
  const byKind: RecordsByKind = new Map();
  const changes = countChanges();
  return {
    put(kind, record, expected) {
      const state = recordsOfKind(byKind, kind);
      const version = state.byId.get(record.id)?.version ?? 0;
      if (version !== expected) return { kind: "moved", version };
      const hash = hashOf(record);
      const holder = hash === undefined ? undefined : state.byHash.get(hash);
      if (holder && holder.record.id !== record.id) return { kind: "taken", field: "hash" };
      const dangling = listLinks(kind, record).find((link) => !isThere(byKind, link));
      if (dangling) return { kind: "dangling", field: dangling.field };
      takeOut(state, kind, record.id);
      putIn(state, kind, { version: version + 1, record: freezeAll(structuredClone(record)) });
      changes.note(kind);
      return { kind: "stored", version: version + 1 };
    },
    get: <Kind extends RecordKind>(kind: Kind, id: string) =>
      recordsOfKind(byKind, kind).byId.get(id) as Stored<Kind> | undefined,
    findByHash: <Kind extends RecordKind>(kind: Kind, hash: string) =>
      recordsOfKind(byKind, kind).byHash.get(hash) as Stored<Kind> | undefined,
    list<Kind extends RecordKind>(kind: Kind, { where, limit, after }: Parameters<Records["list"]>[1]) {
      const state = recordsOfKind(byKind, kind);
      const from = after === undefined ? undefined : readCursor(after);
      const positions = indexOf(state, readWhere(where))?.after(from, limit + 1) ?? [];
      const records = positions.slice(0, limit).map(({ id }) => state.byId.get(id) as Stored<Kind>);
      const last = records.at(-1);
      return positions.length > limit && last ? { records, next: writeCursor(last.record) } : { records };
    },
    count: (kind, where) => indexOf(recordsOfKind(byKind, kind), readWhere(where))?.size ?? 0,
    remove(kind, id, expected) {
      const refusal = refuseRemoval(byKind, { kind, id, expected });
      if (refusal) return refusal;
      takeOut(recordsOfKind(byKind, kind), kind, id);
      changes.note(kind);
      return { kind: "removed" };
    },
    stamp: (kinds) => changes.of(kinds),
  };
}

function recordsOfKind(byKind: RecordsByKind, kind: RecordKind): RecordsOfKind {
  let state = byKind.get(kind);
  if (!state) {
    state = { byId: new Map(), byHash: new Map(), all: createIndex(), byLink: new Map() };
    byKind.set(kind, state);
  }
  return state;
}

function isThere(byKind: RecordsByKind, { names, value }: Link): boolean {
  return names === undefined || recordsOfKind(byKind, names).byId.has(value);
}

function nameLink(field: string, value: string): string {
  return JSON.stringify([field, value]);
}

function indexOf(state: RecordsOfKind, where: readonly [string, string] | undefined): SortedIndex | undefined {
  return where ? state.byLink.get(nameLink(...where)) : state.all;
}

function putIn(state: RecordsOfKind, kind: RecordKind, stored: AnyStored): void {
  const { record } = stored;
  const hash = hashOf(record);
  state.byId.set(record.id, stored);
  if (hash !== undefined) state.byHash.set(hash, stored);
  state.all.add(record);
  for (const { field, value } of listLinks(kind, record)) {
    const name = nameLink(field, value);
    const index = state.byLink.get(name) ?? createIndex();
    state.byLink.set(name, index);
    index.add(record);
  }
}

function takeOut(state: RecordsOfKind, kind: RecordKind, id: string): void {
  const stored = state.byId.get(id);
  if (!stored) return;
  const { record } = stored;
  const hash = hashOf(record);
  state.byId.delete(id);
  if (hash !== undefined) state.byHash.delete(hash);
  state.all.remove(record);
  for (const { field, value } of listLinks(kind, record)) {
    const name = nameLink(field, value);
    const index = state.byLink.get(name);
    index?.remove(record);
    if (index?.size === 0) state.byLink.delete(name);
  }
}

/** A wish to remove a record. */
interface MemoryRecordRemoval {
  readonly kind: RecordKind;
  readonly id: string;
  readonly expected: number | undefined;
}

function refuseRemoval(byKind: RecordsByKind, { kind, id, expected }: MemoryRecordRemoval): RemoveOutcome | undefined {
  const stored = recordsOfKind(byKind, kind).byId.get(id);
  if (!stored) return { kind: "missing" };
  if (expected !== undefined && expected !== stored.version) return { kind: "moved", version: stored.version };
  for (const { kind: by, field } of listReferences(kind)) {
    const count = recordsOfKind(byKind, by).byLink.get(nameLink(field, id))?.size ?? 0;
    if (count > 0) return { kind: "needed", by, count };
  }
  return undefined;
}
