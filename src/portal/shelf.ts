import { GatewayError } from "../errors.ts";
import { countKind } from "../pipeline/registry.ts";
import type { RecordKind, RecordKinds, Records, Where } from "../ports/records.ts";
import { overtaken, untilWritten } from "../ports/until-written.ts";

/** Every record of a kind, in order of creation, then id. */
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

/** A record that must be there. Throws `not_found`, which also says that it is outside the caller's scope. */
export async function read<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  id: string,
): Promise<RecordKinds[Kind]> {
  const stored = await records.get(kind, id);
  if (!stored) throw notFound(kind, id);
  return stored.record;
}

/** Writes a new record. Throws `conflict` when it is there already, `invalid_request` when a field names what is not there. */
export async function add<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  record: RecordKinds[Kind],
): Promise<void> {
  const outcome = await records.put(kind, record, 0);
  if (outcome.kind === "dangling") throw dangling(outcome.field);
  if (outcome.kind === "taken") throw taken(kind);
  if (outcome.kind !== "stored") throw new GatewayError("conflict", `There is a ${kind} \`${record.id}\` already.`);
}

/**
 * Changes a record that must be there, by a function that is asked again when another change was faster; it may throw. Gives the
 * record as it is then. Throws `not_found`.
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

/** Writes a record that may be there or not, by a function that is asked again when another change was faster. */
export function write<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  { id, by }: { readonly id: string; readonly by: (present: RecordKinds[Kind] | undefined) => RecordKinds[Kind] },
): Promise<RecordKinds[Kind]> {
  return untilWritten(async () => {
    const stored = await records.get(kind, id);
    const changed = by(stored?.record);
    const outcome = await records.put(kind, changed, stored?.version ?? 0);
    if (outcome.kind === "dangling") throw dangling(outcome.field);
    if (outcome.kind === "taken") throw taken(kind);
    return outcome.kind === "stored" ? changed : overtaken;
  });
}

/** Removes a record. Throws `not_found`, or `conflict` while others depend on it. */
export async function drop(records: Records, kind: RecordKind, id: string): Promise<void> {
  const outcome = await records.remove(kind, id);
  if (outcome.kind === "missing") throw notFound(kind, id);
  if (outcome.kind !== "needed") return;
  throw stillHas(kind, id, outcome);
}

/** How many records of a kind depend on one. */
interface Dependants {
  readonly by: RecordKind;
  readonly count: number;
}

/** The conflict of what cannot go while others depend on it. */
export function stillHas(kind: RecordKind, id: string, { count, by }: Dependants): GatewayError {
  return new GatewayError("conflict", `The ${kind} \`${id}\` still has ${countKind(count, by)}.`);
}

/** The error of what is not there, or not in the caller's scope: the two look alike. */
export function notFound(kind: string, id: string): GatewayError {
  return new GatewayError("not_found", `There is no ${kind} \`${id}\`.`, { param: "id" });
}

function dangling(field: string): GatewayError {
  return new GatewayError("invalid_request", `\`${field}\`: there is no such record.`, { param: field });
}

function taken(kind: string): GatewayError {
  return new GatewayError("conflict", `The name of the ${kind} is taken.`);
}
