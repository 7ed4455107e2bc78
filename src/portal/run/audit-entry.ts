import { z } from "zod";
import type { RecordKind, RecordKinds } from "../../engine/ports/records.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import { recordKinds } from "../../operations/record-kinds.ts";
import type { AuditEntry } from "../../operations/records/users.ts";
import { actorOf } from "../call/actor.ts";
import { type Caller, scopeAt } from "../call/call.ts";
import { depthOf, isAbove, type ScopedRecord, scopeOf, toScope } from "../tenancy/tenant-scope.ts";
import type { RecordedWrite } from "./recorded.ts";

/** One requested change. */
export interface AuditedChange {
  readonly row: PortalRow;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly region: string;
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How a change ended: its outcome, what it wrote, and its answer. */
export interface AuditedEnd {
  readonly outcome: string;
  readonly writes?: readonly RecordedWrite[] | undefined;
  readonly answer?: unknown;
}

/**
 * Returns the entry of the audit log for a change. Of the input it holds only what identifies the target, which is never a secret, and the `reason` where the row asks for one. Its id
 * is that of the event, which keeps the order of changes requested in the same millisecond.
 */
export function toAuditEntry(change: AuditedChange, { outcome, writes = [], answer }: AuditedEnd): AuditEntry {
  const { row, input, caller, region, eventId, now } = change;
  const { reseller, client_id } = scopeAt(toScope(placeOf(writes) ?? caller.scope));
  return {
    id: `aud_${eventId}`,
    created_at: new Date(now).toISOString(),
    reseller,
    client_id,
    user_id: caller.user.id,
    token_id: caller.token_id,
    operation: `${row.area}.${row.name}`,
    target: targetOf(change),
    target_id: targetIdOf(change, writes, answer),
    actor: actorOf(caller),
    changed: changedFields(writes),
    ...(typeof input.reason === "string" ? { reason: input.reason } : {}),
    region,
    outcome,
    event_id: eventId,
  };
}

/** The input fields that identify what is changed: ids and names. No field that takes a secret or free text matches. */
const identifyingField = /^(?:id|.*_id|name|username|entity|property|quota|bucket|key)$/;

/** The most characters of an id or a name in an entry. */
const longestName = 256;

/** Returns what a change is made to: the path's parameters, and the input fields that identify something. */
function targetOf({ row: { operation }, input }: AuditedChange): Record<string, string> {
  const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
  const named = [...operation.params, ...fields.filter((name) => identifyingField.test(name))];
  const shown = named.flatMap((name) => {
    const value = input[name];
    return typeof value === "string" ? [[name, value.slice(0, longestName)] as const] : [];
  });
  return Object.fromEntries(shown);
}

/** Returns the id of what was made, else the last parameter of the path, else the id of the first record that was written. */
function targetIdOf({ row, input }: AuditedChange, writes: readonly RecordedWrite[], answer: unknown): string | null {
  const parameter = input[row.operation.params.at(-1) ?? ""];
  const first = writes[0]?.write;
  const written = first && ("put" in first ? first.put.id : first.remove);
  const id = idIn(answer) ?? (typeof parameter === "string" ? parameter : undefined) ?? written;
  return id?.slice(0, longestName) ?? null;
}

/** The id of an answer, or of the one thing that it holds. */
function idIn(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  if ("id" in answer && typeof answer.id === "string") return answer.id;
  const [only, ...others] = Object.values(answer);
  return others.length === 0 && !Array.isArray(answer) ? idIn(only) : undefined;
}

/** The most names of changed fields in an entry. */
const mostFields = 50;

/** Fields that change with every write, or whose change says that of a secret. */
const omitted: ReadonlySet<string> = new Set(["updated_at", "hash"]);

/** Returns the names of the fields in which the written records differ from those before. */
function changedFields(writes: readonly RecordedWrite[]): readonly string[] {
  const names = new Set<string>();
  for (const { write, before } of writes) {
    if (!before || !("put" in write)) continue;
    const [was, is]: readonly Readonly<Record<string, unknown>>[] = [{ ...before }, { ...write.put }];
    for (const name of new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]))
      if (!omitted.has(name) && JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name])) names.add(name);
  }
  return [...names].sort().slice(0, mostFields);
}

/** Kinds whose records are written along with what is changed. */
const alongside: ReadonlySet<RecordKind> = new Set(["audit", "notification", "session", "turn"]);

/**
 * Returns the tenant whose things were written: of several tenants one above the other the lowest, since a level above keeps account of what
 * it gives; of others the level above all of them. Undefined where nothing of a tenant was written.
 */
function placeOf(writes: readonly RecordedWrite[]): ScopedRecord | undefined {
  const places = writes.flatMap(({ write, before }) => {
    const record = "put" in write ? write.put : before;
    if (!record || alongside.has(write.kind) || !("reseller" in recordKinds[write.kind].links)) return [];
    return [tenantIn(write.kind, record)];
  });
  const lowest = places.reduce((best, place) => (depthOf(place) > depthOf(best) ? place : best), places[0] ?? {});
  if (places.length === 0) return undefined;
  const isChain = places.every((place) => isAbove(place, toScope(lowest)) || isSame(place, lowest));
  if (isChain) return lowest;
  return places.every(({ reseller }) => reseller === lowest.reseller) ? { reseller: lowest.reseller } : {};
}

function tenantIn<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): ScopedRecord {
  const { reseller, client_id } = scopeOf(kind, record);
  return { reseller: reseller ?? null, client_id: client_id ?? null };
}

function isSame(one: ScopedRecord, other: ScopedRecord): boolean {
  return one.reseller === other.reseller && one.client_id === other.client_id;
}
