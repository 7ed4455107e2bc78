import type { ListQuestion, RecordKind, RecordKinds, Records, Stored, Where } from "../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../engine/runtime/version-conflict.ts";
import { recordKinds } from "../../operations/record-kinds.ts";
import { notFound } from "./record-access.ts";

/** A scope in the tree of tenants, provider ⊃ reseller ⊃ client ⊃ user. Levels below it are absent; the provider's scope is empty. */
export interface TenantScope {
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
  readonly user_id?: string | undefined;
}

/** The levels of the tree of tenants that a record belongs to. */
export interface ScopedRecord {
  readonly reseller?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly user_id?: string | null | undefined;
}

const levels = ["reseller", "client_id", "user_id"] as const;

/** True for a record at the scope or below it. */
export function contains(scope: TenantScope, record: ScopedRecord): boolean {
  return levels.every((level) => scope[level] === undefined || record[level] === scope[level]);
}

/** A record's levels as a scope: it contains everything that lies at them or below. */
export function toScope({ reseller, client_id, user_id }: ScopedRecord): TenantScope {
  const levelsOfRecord = Object.entries({ reseller, client_id, user_id });
  return Object.fromEntries(levelsOfRecord.filter(([, level]) => (level ?? undefined) !== undefined));
}

/** True for a record at a level above the scope, which the scope inherits. */
export function isAbove(record: ScopedRecord, scope: TenantScope): boolean {
  return (
    !contains(scope, record) &&
    levels.every((level) => (record[level] ?? undefined) === undefined || record[level] === scope[level])
  );
}

/**
 * Returns the levels that a record belongs to. Customers, projects and keys of the engine have them in `metadata`, and a key has its user
 * in `user`. A record without levels belongs to the provider.
 */
export function scopeOf<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): ScopedRecord {
  if (!("metadata" in record)) return record as ScopedRecord;
  const { reseller, client_id } = record.metadata as ScopedRecord;
  const user_id = kind === "key" && "user" in record ? record.user : undefined;
  return { reseller, client_id, user_id };
}

/**
 * Returns the records of a scope: those at it or below it. Other records appear not to exist: `get` returns undefined, `list` omits
 * them, `remove` returns `missing`, and `put` of a record outside the scope, or over such a record, throws `not_found`. A field may name
 * a record of the scope or of a level above it.
 */
export function scopedRecords(records: Records, scope: TenantScope): Records {
  if (levels.every((level) => scope[level] === undefined)) return records;
  const see = <Kind extends RecordKind>(kind: Kind, stored: Stored<Kind> | undefined): Stored<Kind> | undefined =>
    stored && contains(scope, scopeOf(kind, stored.record)) ? stored : undefined;
  const checkPut = async <Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]) => {
    const present = await records.get(kind, record.id);
    if (!contains(scope, scopeOf(kind, record)) || (present && !see(kind, present))) throw notFound(kind, record.id);
    return findForeignLink(records, scope, { kind, record });
  };
  return {
    define: (kinds) => records.define(kinds),
    list: (kind, query) => listCovered(records, scope, { kind, query }),
    stamp: (kinds) => records.stamp(kinds),
    get: async (kind, id) => see(kind, await records.get(kind, id)),
    findByHash: async (kind, hash) => see(kind, await records.findByHash(kind, hash)),
    async put(kind, record, expected) {
      const field = await checkPut(kind, record);
      return field === undefined ? records.put(kind, record, expected) : { kind: "dangling", field };
    },
    async batch(writes) {
      for (const [at, each] of writes.entries()) {
        const { kind } = each;
        const field = "put" in each ? await checkPut(kind, each.put) : undefined;
        if (field !== undefined) return { kind: "refused", at, outcome: { kind: "dangling", field } };
        const isHidden = "remove" in each && !see(kind, await records.get(kind, each.remove));
        if (isHidden) return { kind: "refused", at, outcome: { kind: "missing" } };
      }
      return records.batch(writes);
    },
    count: (kind, where) => countCovered(records, scope, { kind, where }),
    remove: (kind, id, expected) =>
      retryOnConflict(async () => {
        const stored = see(kind, await records.get(kind, id));
        if (!stored) return { kind: "missing" };
        const outcome = await records.remove(kind, id, expected ?? stored.version);
        return outcome.kind === "moved" && expected === undefined ? versionConflict : outcome;
      }),
  };
}

/** Returns the records above a scope, which it inherits and cannot change: from the provider's down, within a level in order of creation. */
export async function listAbove<Kind extends RecordKind>(
  records: Records,
  scope: TenantScope,
  { kind, where }: { readonly kind: Kind; readonly where?: Where<Kind> | undefined },
): Promise<RecordKinds[Kind][]> {
  const found: RecordKinds[Kind][] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { where, limit: 1_000, after });
    found.push(...page.records.map(({ record }) => record).filter((record) => isAbove(scopeOf(kind, record), scope)));
    if (page.next === undefined) break;
    after = page.next;
  }
  return found.sort((one, other) => depthOf(scopeOf(kind, one)) - depthOf(scopeOf(kind, other)));
}

/** Returns the number of levels between the provider and a record. */
export function depthOf(record: ScopedRecord): number {
  return levels.filter((level) => (record[level] ?? undefined) !== undefined).length;
}

interface ScopedListing<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly query: ListQuestion<Kind>;
}

/** Returns one page of the records of a scope. The last page may have a `next` with no records behind it. */
async function listCovered<Kind extends RecordKind>(
  records: Records,
  scope: TenantScope,
  { kind, query }: ScopedListing<Kind>,
) {
  const { limit } = query;
  const where = narrow(kind, scope, query.where);
  const found: Stored<Kind>[] = [];
  for (let { after } = query; ; ) {
    const page = await records.list(kind, { ...query, where, limit: limit - found.length, after });
    found.push(...page.records.filter(({ record }) => contains(scope, scopeOf(kind, record))));
    if (page.next === undefined) return { records: found };
    if (found.length >= limit) return { records: found, next: page.next };
    after = page.next;
  }
}

/** Counts the records of a scope; one by one where the store cannot list them by each of its levels. */
async function countCovered<Kind extends RecordKind>(
  records: Records,
  scope: TenantScope,
  { kind, where }: Pick<ListQuestion<Kind>, "where"> & { readonly kind: Kind },
): Promise<number> {
  const isCounted = linksOf(kind, scope).every(
    ([field, value]) => field !== undefined && (valueIn(where, field) ?? value) === value,
  );
  if (isCounted) return records.count(kind, narrow(kind, scope, where));
  let count = 0;
  for (let after: string | undefined; ; ) {
    const page = await listCovered(records, scope, { kind, query: { where, limit: 1_000, after } });
    count += page.records.length;
    if (page.next === undefined) return count;
    after = page.next;
  }
}

/** The levels that bound a scope, with the fields that the store can list the kind by; undefined where it has none for a level. */
function linksOf(kind: RecordKind, scope: TenantScope): (readonly [field: string | undefined, value: string])[] {
  return levels.flatMap((level) => {
    const value = scope[level];
    const field = level === "user_id" && kind === "key" ? "user" : level;
    return value === undefined ? [] : [[field in recordKinds[kind].links ? field : undefined, value] as const];
  });
}

function valueIn(where: object | undefined, field: string): unknown {
  return (where as Readonly<Record<string, unknown>> | undefined)?.[field];
}

/** Adds the levels of the scope that the store can list the kind by. A field that is asked for stays as it is. */
function narrow<Kind extends RecordKind>(kind: Kind, scope: TenantScope, where?: Where<Kind>): Where<Kind> | undefined {
  const own = linksOf(kind, scope).filter(([field]) => field !== undefined && valueIn(where, field) === undefined);
  return own.length === 0 ? where : ({ ...where, ...Object.fromEntries(own) } as Where<Kind>); // the fields are links of the kind
}

interface Linked<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
}

/** Returns the first field that names a record which the scope neither contains nor inherits. */
async function findForeignLink<Kind extends RecordKind>(
  records: Records,
  scope: TenantScope,
  { kind, record }: Linked<Kind>,
) {
  for (const [field, names] of Object.entries(recordKinds[kind].links)) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[field]; // the table's fields are strings
    if (names === undefined || typeof value !== "string") continue;
    const named = await records.get(names, value);
    if (!named) continue; // the store reports a missing record itself
    const linkedScope = scopeOf(names, named.record);
    if (!contains(scope, linkedScope) && !isAbove(linkedScope, scope)) return field;
  }
  return undefined;
}
