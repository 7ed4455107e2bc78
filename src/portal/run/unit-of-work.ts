import { findNamesake } from "../../engine/pipeline/admin/names/owned-names.ts";
import { ownedNameOf } from "../../engine/ports/owned-names.ts";
import type {
  BatchOutcome,
  ListQuestion,
  NameClaim,
  PutOutcome,
  RecordChange,
  RecordKind,
  RecordKinds,
  RecordPage,
  Records,
  RecordWrite,
  RemoveOutcome,
  Stored,
  Where,
} from "../../engine/ports/records.ts";
import { recordKinds } from "../../operations/record-kinds.ts";
import { scopeOf } from "../tenancy/tenant-scope.ts";
import type { RecordedWrite } from "./recorded.ts";

/** The writes of one call. The store has none of them until they are committed together. */
export interface UnitOfWork {
  /** The store's records as they will be: what was written is read, listed and counted. */
  readonly records: Records;
  /** The writes in the order in which they were made, without those of leases. */
  readonly writes: readonly RecordedWrite[];
  /** What has to hold of names when the writes are committed. */
  readonly claims: readonly NameClaim[];
}

type Change = { readonly version: number; readonly record: RecordKinds[RecordKind] } | undefined;

/** Opens a unit of work over the records of a store. */
export function openUnit(store: Records): UnitOfWork {
  const changed = new Map<RecordKind, Map<string, Change>>();
  const writes: RecordedWrite[] = [];
  const claims: NameClaim[] = [];
  const view = viewOf(store, changed);
  const note = (write: RecordChange, change: Change, before: Stored<RecordKind> | undefined) => {
    const ofKind = changed.get(write.kind) ?? new Map<string, Change>();
    changed.set(write.kind, ofKind.set("put" in write ? write.put.id : write.remove, change));
    writes.push({ write, before: before?.record });
  };
  const put = async <Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind], expected: number) => {
    const refusal = await refusePut(view, { kind, record, expected });
    if (refusal) return refusal;
    const before = await view.get(kind, record.id);
    note({ kind, put: record, expected }, { version: expected + 1, record: structuredClone(record) }, before);
    return { kind: "stored", version: expected + 1 } as const;
  };
  const remove = async (kind: RecordKind, id: string, expected?: number): Promise<RemoveOutcome> => {
    const before = await view.get(kind, id);
    if (!before) return { kind: "missing" };
    if (expected !== undefined && before.version !== expected) return { kind: "moved", version: before.version };
    const needed = await findNeed(view, kind, id);
    if (needed) return needed;
    note({ kind, remove: id, expected: before.version }, undefined, before);
    return { kind: "removed" };
  };
  const batch = async (all: readonly RecordWrite[]): Promise<BatchOutcome> => {
    for (const [at, each] of all.entries()) {
      const { kind } = each;
      if ("claimName" in each) {
        if (await isNameTaken(view, each)) return { kind: "refused", at, outcome: { kind: "taken", field: "name" } };
        claims.push(each);
        continue;
      }
      const outcome =
        "put" in each ? await put(kind, each.put, each.expected) : await remove(kind, each.remove, each.expected);
      if (outcome.kind !== "stored" && outcome.kind !== "removed") return { kind: "refused", at, outcome };
    }
    return { kind: "stored" };
  };
  const stamp: Records["stamp"] = (kinds) => store.stamp(kinds);
  const define: Records["define"] = (kinds) => store.define(kinds);
  return { records: { ...view, put, remove, batch, stamp, define }, writes, claims };
}

type View = Pick<Records, "get" | "findByHash" | "list" | "count">;

/** The records of a store with changes laid over them. */
function viewOf(store: Records, changed: ReadonlyMap<RecordKind, ReadonlyMap<string, Change>>): View {
  const changesOf = <Kind extends RecordKind>(kind: Kind) =>
    changed.get(kind) as ReadonlyMap<string, Stored<Kind> | undefined> | undefined; // `note` keeps the kinds apart
  return {
    async get<Kind extends RecordKind>(kind: Kind, id: string) {
      const changes = changesOf(kind);
      return changes?.has(id) ? changes.get(id) : store.get(kind, id);
    },
    async findByHash<Kind extends RecordKind>(kind: Kind, hash: string) {
      const changes = changesOf(kind);
      const written = [...(changes?.values() ?? [])].find((one) => one && hashIn(one.record) === hash);
      if (written) return written;
      const found = await store.findByHash(kind, hash);
      return found && changes?.has(found.record.id) ? undefined : found;
    },
    async list<Kind extends RecordKind>(kind: Kind, question: ListQuestion<Kind>) {
      const changes = changesOf(kind);
      const page = await store.list(kind, question);
      return changes ? overlay(kind, page, { changes, question }) : page;
    },
    async count<Kind extends RecordKind>(kind: Kind, where?: Where<Kind>) {
      const count = await store.count(kind, where);
      const changes = changesOf(kind);
      if (!changes) return count;
      const before = await Promise.all([...changes.keys()].map((id) => store.get(kind, id)));
      const counted = (all: Iterable<Stored<Kind> | undefined>) =>
        [...all].filter((one) => one && hasAll(kind, one.record, where)).length;
      return count - counted(before) + counted(changes.values());
    },
  };
}

/**
 * A page with changes laid over it: what was written lies on the last page. Operations that write read whole lists, in which the page does not
 * matter. A `search` finds only what the store has.
 */
function overlay<Kind extends RecordKind>(
  kind: Kind,
  page: RecordPage<Kind>,
  { changes, question }: Overlay<Kind>,
): RecordPage<Kind> {
  const { where, search, from = "", until, order } = question;
  const stays = page.records.filter(({ record }) => !changes.has(record.id));
  if (page.next !== undefined || search !== undefined) return { ...page, records: stays };
  const isListed = ({ record }: Stored<Kind>) =>
    hasAll(kind, record, where) && record.created_at >= from && (until === undefined || record.created_at < until);
  const written = [...changes.values()].filter((one) => one !== undefined).filter(isListed);
  const sign = order === "newest" ? -1 : 1;
  const placeOf = ({ record }: Stored<Kind>) => `${record.created_at} ${record.id}`;
  return { records: [...stays, ...written].sort((one, other) => (placeOf(one) < placeOf(other) ? -sign : sign)) };
}

interface Overlay<Kind extends RecordKind> {
  readonly changes: ReadonlyMap<string, Stored<Kind> | undefined>;
  readonly question: ListQuestion<Kind>;
}

function hasAll<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind], where: Where<Kind> | undefined) {
  const names = { owned_name: ownedNameOf(recordKinds, kind, record) };
  const fields: Readonly<Record<string, unknown>> = { ...record, ...scopeOf(kind, record), ...names };
  return Object.entries(where ?? {}).every(([field, value]) => value === undefined || fields[field] === value);
}

function hashIn(record: object): unknown {
  return "hash" in record ? record.hash : undefined;
}

interface Put {
  readonly kind: RecordKind;
  readonly record: RecordKinds[RecordKind];
  readonly expected: number;
}

/** What keeps a record from being put, as a store says it. */
async function refusePut(view: View, { kind, record, expected }: Put): Promise<PutOutcome | undefined> {
  const version = (await view.get(kind, record.id))?.version ?? 0;
  if (version !== expected) return { kind: "moved", version };
  const hash = hashIn(record);
  const holder = typeof hash === "string" ? await view.findByHash(kind, hash) : undefined;
  if (holder && holder.record.id !== record.id) return { kind: "taken", field: "hash" };
  const fields: Readonly<Record<string, unknown>> = { ...record };
  for (const [field, names] of namingFields(kind)) {
    const value = fields[field];
    if (typeof value === "string" && !(await view.get(names, value))) return { kind: "dangling", field };
  }
  return undefined;
}

/** Another record has the name that a record claims. */
async function isNameTaken(view: View, { kind, claimName: id }: NameClaim): Promise<boolean> {
  const stored = await view.get(kind, id);
  if (!stored) return false;
  return (await findNamesake(view, { kinds: recordKinds, kind, record: stored.record })) !== undefined;
}

/** The records that keep another from being removed. */
async function findNeed(view: View, kind: RecordKind, id: string): Promise<RemoveOutcome | undefined> {
  for (const by of Object.keys(recordKinds) as RecordKind[]) {
    for (const [field, names] of namingFields(by)) {
      const count = names === kind ? await view.count(by, { [field]: id }) : 0;
      if (count > 0) return { kind: "needed", by, count };
    }
  }
  return undefined;
}

/** The fields of a kind that name a record, and of which kind. */
function namingFields(kind: RecordKind): (readonly [field: string, names: RecordKind])[] {
  return Object.entries(recordKinds[kind].links).flatMap(([field, names]) =>
    names === undefined ? [] : [[field, names] as const],
  );
}
