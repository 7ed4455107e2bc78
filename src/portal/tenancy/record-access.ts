import { GatewayError } from "../../engine/errors.ts";
import { keepName } from "../../engine/pipeline/admin/names/deleted-names.ts";
import { nameTaken, putWithOwnName } from "../../engine/pipeline/admin/names/owned-names.ts";
import { countKind } from "../../engine/pipeline/admin/names/store-record.ts";
import type { RecordKind, RecordKinds, Records, Where } from "../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../engine/runtime/version-conflict.ts";
import { recordKinds } from "../../operations/record-kinds.ts";

/** Returns every record of a kind, in order of creation, then id. */
export async function readAll<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  where?: Where<Kind>,
): Promise<RecordKinds[Kind][]> {
  const found: RecordKinds[Kind][] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { where, limit: 1_000, after });
    for (const { record } of page.records) found.push(record);
    if (page.next === undefined) return found;
    after = page.next;
  }
}

/** Returns a record. Throws `not_found`, also for a record outside the caller's scope. */
export async function read<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  id: string,
): Promise<RecordKinds[Kind]> {
  const stored = await records.get(kind, id);
  if (!stored) throw notFound(kind, id);
  return stored.record;
}

/** Writes a new record. Throws `conflict` when it already exists or something else of its owner has its name, `invalid_request` when a field names a record that does not exist. */
export async function add<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  record: RecordKinds[Kind],
): Promise<void> {
  const outcome = await putWithOwnName(records, { kinds: recordKinds, kind, record, expected: 0 });
  if (outcome.kind === "dangling") throw dangling(outcome.field);
  if (outcome.kind === "taken") throw taken(kind, outcome.field);
  if (outcome.kind !== "stored") throw new GatewayError("conflict", `The ${kind} \`${record.id}\` already exists.`);
}

/**
 * Changes a record by a function, which may throw and is called again after a conflicting change. Returns the new record. Throws
 * `not_found`.
 */
export async function change<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  { id, by }: { readonly id: string; readonly by: (present: RecordKinds[Kind]) => RecordKinds[Kind] },
): Promise<RecordKinds[Kind]> {
  return write(records, kind, {
    id,
    by: (present) => {
      if (!present) throw notFound(kind, id);
      return by(present);
    },
  });
}

/**
 * Creates or changes a record by a function, which is called again after a conflicting change. Returns the new record. Throws `conflict`
 * for a name that it takes and that something else of its owner has.
 */
export function write<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  { id, by }: { readonly id: string; readonly by: (present: RecordKinds[Kind] | undefined) => RecordKinds[Kind] },
): Promise<RecordKinds[Kind]> {
  return retryOnConflict(async () => {
    const stored = await records.get(kind, id);
    const changed = by(stored?.record);
    const written = {
      kinds: recordKinds,
      kind,
      record: changed,
      before: stored?.record,
      expected: stored?.version ?? 0,
    };
    const outcome = await putWithOwnName(records, written);
    if (outcome.kind === "dangling") throw dangling(outcome.field);
    if (outcome.kind === "taken") throw taken(kind, outcome.field);
    return outcome.kind === "stored" ? changed : versionConflict;
  });
}

/** Removes a record. Throws `not_found`, or `conflict` while others depend on it. */
export async function remove(records: Records, kind: RecordKind, id: string): Promise<void> {
  const outcome = await records.remove(kind, id);
  if (outcome.kind === "missing") throw notFound(kind, id);
  if (outcome.kind !== "needed") return;
  throw stillHas(kind, id, outcome);
}

/** What the removal of a named record needs of a call. */
interface Removal {
  readonly records: Records;
  readonly allRecords: Records;
  readonly now: number;
}

/** Removes a key or a project, and keeps its name for reports. Throws as {@link remove}. */
export async function removeNamed({ records, allRecords, now }: Removal, kind: "key" | "project", id: string) {
  const record = await read(records, kind, id);
  await remove(records, kind, id);
  await keepName(allRecords, record, now);
}

/** The number of records of a kind that depend on a record. */
interface Dependants {
  readonly by: RecordKind;
  readonly count: number;
}

/** Returns the conflict for a record that others depend on. */
export function stillHas(kind: RecordKind, id: string, { count, by }: Dependants): GatewayError {
  return new GatewayError("conflict", `The ${kind} \`${id}\` still has ${countKind(count, by)}.`);
}

/** Returns the error for a record that does not exist or is outside the caller's scope; a caller cannot tell which. */
export function notFound(kind: string, id: string): GatewayError {
  return new GatewayError("not_found", `There is no ${kind} \`${id}\`.`, { param: "id" });
}

function dangling(field: string): GatewayError {
  return new GatewayError("invalid_request", `\`${field}\`: names a record that does not exist.`, { param: field });
}

/** Users are told apart by a hash of their names; that of a key or a token is of its value, of which there are no two. */
function taken(kind: RecordKind, field: "hash" | "name"): GatewayError {
  if (field === "name") return nameTaken(kind, "name");
  if (kind === "user") return nameTaken(kind, "username");
  return new GatewayError("conflict", `The ${kind} already exists.`);
}
