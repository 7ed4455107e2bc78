import { ownedNameOf } from "../../../src/engine/ports/owned-names.ts";
import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type {
  BatchOutcome,
  NameClaim,
  PutOutcome,
  RecordKind,
  RecordKinds,
  Records,
  RecordWrite,
  RemoveOutcome,
  Stored,
} from "../../../src/engine/ports/records.ts";
import { freezeAll } from "../../../src/engine/runtime/freeze.ts";
import { countChanges } from "../../shared/records/changes.ts";
import { knowKinds } from "../../shared/records/known-kinds.ts";
import { hashOf, type Link, listLinks, listReferences, readWhere, searchTextOf } from "../../shared/records/links.ts";
import { countRecords, listMemory, nameLink, type RecordsOfKind } from "./record-lists.ts";
import { createIndex } from "./sorted-index.ts";

type AnyStored = Stored<RecordKind>;

/** The records of each kind, and the kinds that are known. */
interface RecordsByKind {
  readonly kinds: KindDefinitions;
  readonly states: Map<RecordKind, RecordsOfKind>;
}

/** Records in the memory of this process. */
export function memoryRecords(): Records {
  const { kinds, define } = knowKinds();
  const byKind: RecordsByKind = { kinds, states: new Map() };
  const changes = countChanges();
  const changed = <Outcome extends PutOutcome | RemoveOutcome>(kind: RecordKind, outcome: Outcome): Outcome => {
    if (outcome.kind === "stored" || outcome.kind === "removed") changes.note(kind);
    return outcome;
  };
  return {
    define,
    put: (kind, record, expected) => changed(kind, putRecord(byKind, { kind, record, expected })),
    get: <Kind extends RecordKind>(kind: Kind, id: string) =>
      recordsOfKind(byKind, kind).byId.get(id) as Stored<Kind> | undefined,
    findByHash: <Kind extends RecordKind>(kind: Kind, hash: string) =>
      recordsOfKind(byKind, kind).byHash.get(hash) as Stored<Kind> | undefined,
    list: (kind, question) => listMemory(recordsOfKind(byKind, kind), kind, question),
    count: (kind, where) => countRecords(recordsOfKind(byKind, kind), readWhere(where)),
    remove: (kind, id, expected) => changed(kind, removeRecord(byKind, { kind, id, expected })),
    batch(writes) {
      const outcome = writeBatch(byKind, writes);
      if (outcome.kind === "stored") for (const { kind } of writes) changes.note(kind);
      return outcome;
    },
    stamp: (kinds) => changes.of(kinds),
  };
}

function putRecord<Kind extends RecordKind>(
  byKind: RecordsByKind,
  { kind, record, expected }: MemoryRecordPut<Kind>,
): PutOutcome {
  const state = recordsOfKind(byKind, kind);
  const version = state.byId.get(record.id)?.version ?? 0;
  if (version !== expected) return { kind: "moved", version };
  const hash = hashOf(record);
  const holder = hash === undefined ? undefined : state.byHash.get(hash);
  if (holder && holder.record.id !== record.id) return { kind: "taken", field: "hash" };
  const dangling = listLinks(byKind.kinds, kind, record).find((link) => !isThere(byKind, link));
  if (dangling) return { kind: "dangling", field: dangling.field };
  takeOut(state, kind, record.id);
  putIn(state, kind, { version: version + 1, record: freezeAll(structuredClone(record)) });
  return { kind: "stored", version: version + 1 };
}

function removeRecord(byKind: RecordsByKind, removal: MemoryRecordRemoval): RemoveOutcome {
  const refusal = refuseRemoval(byKind, removal);
  if (!refusal) takeOut(recordsOfKind(byKind, removal.kind), removal.kind, removal.id);
  return refusal ?? { kind: "removed" };
}

/** What a write replaces. */
interface Replaced {
  readonly kind: RecordKind;
  readonly id: string;
  readonly stored: AnyStored | undefined;
}

/** Writes one after the other, and takes all back where one of them cannot be done. */
function writeBatch(byKind: RecordsByKind, writes: readonly RecordWrite[]): BatchOutcome {
  const replaced: Replaced[] = [];
  for (const [at, each] of writes.entries()) {
    if ("claimName" in each) {
      if (!isNameTaken(recordsOfKind(byKind, each.kind), each)) continue;
      takeBack(byKind, replaced);
      return { kind: "refused", at, outcome: { kind: "taken", field: "name" } };
    }
    const { kind, expected } = each;
    const id = "put" in each ? each.put.id : each.remove;
    replaced.push({ kind, id, stored: recordsOfKind(byKind, kind).byId.get(id) });
    const outcome =
      "put" in each
        ? putRecord(byKind, { kind, record: each.put, expected: each.expected })
        : removeRecord(byKind, { kind, id, expected });
    if (outcome.kind === "stored" || outcome.kind === "removed") continue;
    takeBack(byKind, replaced);
    return { kind: "refused", at, outcome };
  }
  return { kind: "stored" };
}

function takeBack(byKind: RecordsByKind, replaced: Replaced[]): void {
  for (const { kind, id, stored } of replaced.reverse()) {
    takeOut(recordsOfKind(byKind, kind), kind, id);
    if (stored) putIn(recordsOfKind(byKind, kind), kind, stored);
  }
}

function isNameTaken(state: RecordsOfKind, { kind, claimName }: NameClaim): boolean {
  const stored = state.byId.get(claimName);
  const name = stored && ownedNameOf(state.kinds, kind, stored.record);
  return name !== undefined && (state.byLink.get(nameLink("owned_name", name))?.size ?? 0) > 1;
}

function recordsOfKind(byKind: RecordsByKind, kind: RecordKind): RecordsOfKind {
  const { kinds, states } = byKind;
  let state = states.get(kind);
  if (!state) {
    state = { kinds, byId: new Map(), byHash: new Map(), all: createIndex(), texts: new Map(), byLink: new Map() };
    states.set(kind, state);
  }
  return state;
}

function isThere(byKind: RecordsByKind, { names, value }: Link): boolean {
  return names === undefined || recordsOfKind(byKind, names).byId.has(value);
}

function putIn(state: RecordsOfKind, kind: RecordKind, stored: AnyStored): void {
  const { record } = stored;
  const hash = hashOf(record);
  state.byId.set(record.id, stored);
  if (hash !== undefined) state.byHash.set(hash, stored);
  state.all.add(record);
  const text = searchTextOf(state.kinds, kind, record);
  if (text !== undefined) state.texts.set(record.id, text);
  for (const { field, value } of listLinks(state.kinds, kind, record)) {
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
  state.texts.delete(id);
  for (const { field, value } of listLinks(state.kinds, kind, record)) {
    const name = nameLink(field, value);
    const index = state.byLink.get(name);
    index?.remove(record);
    if (index?.size === 0) state.byLink.delete(name);
  }
}

/** A wish to write a record. */
interface MemoryRecordPut<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
  readonly expected: number;
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
  for (const { kind: by, field } of listReferences(byKind.kinds, kind)) {
    const count = recordsOfKind(byKind, by).byLink.get(nameLink(field, id))?.size ?? 0;
    if (count > 0) return { kind: "needed", by, count };
  }
  return undefined;
}
