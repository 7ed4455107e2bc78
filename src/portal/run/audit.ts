import { z } from "zod";
import type { AuditEntry } from "../../api/portal/users.ts";
import { toGatewayError } from "../../errors.ts";
import type { Operation } from "../../operations/define.ts";
import type { OperationMethod } from "../../operations/invoke.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import type { Records } from "../../ports/records.ts";
import { notifySafely } from "../../runtime/notify.ts";
import { type Caller, scopeAt } from "../call/call.ts";
import { write } from "../tenancy/record-access.ts";

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

/** True for calls that change something, and for those whose answer holds a secret that the caller may see. */
export function isAudited({ operation }: PortalRow, permissions: ReadonlySet<string>): boolean {
  return operation.method !== "GET" || answersSecret(operation, permissions);
}

/** True where the answer to a caller holds a secret. */
function answersSecret({ once, guarded, isSecret }: Operation, permissions: ReadonlySet<string>): boolean {
  return isSecret || once.length > 0 || Object.values(guarded).some((permission) => permissions.has(permission));
}

/** The outcome of an entry until the change ends. It stays where the process dies first. */
const begun = "begun";

/** A change, and the records that hold the audit log. */
interface AuditContext {
  readonly records: Records;
  /** Receives the entry of every secret that was read or made. */
  readonly onSecret?: ((entry: AuditEntry) => void) | undefined;
  readonly change: AuditedChange;
}

/**
 * Runs a change with its entry in the audit log. The entry is written before the method begins, so that a change has one even if the
 * process dies in it, and is completed with the outcome. A change that is refused before the method is written once, and one for which the
 * token lacks the permission only counts: it must not be able to fill the log.
 */
export async function audited(
  { records, change, onSecret }: AuditContext,
  method: OperationMethod | undefined,
  run: (method: OperationMethod | undefined) => Promise<unknown>,
): Promise<unknown> {
  let version = 0;
  const recorded: OperationMethod = async (input) => {
    await records.put("audit", toAuditEntry(change, begun), version);
    version = 1;
    return method?.(input);
  };
  const end = async (outcome: string) => {
    const entry = toAuditEntry(change, outcome);
    if (version === 0 && outcome === "permission_denied") return countRefusal(records, entry, change.caller);
    await records.put("audit", entry, version);
    if (outcome === "ok" && answersSecret(change.row.operation, change.caller.permissions))
      notifySafely(() => onSecret?.(entry));
  };
  let outcome = "ok";
  try {
    return await run(method && recorded);
  } catch (thrown) {
    outcome = toGatewayError(thrown).code;
    throw thrown;
  } finally {
    await end(outcome);
  }
}

/**
 * Counts a call that the token had no permission for: one entry for each token, operation and day. A token without any permission leaves
 * none.
 */
async function countRefusal(records: Records, entry: AuditEntry, { permissions }: Caller): Promise<void> {
  if (permissions.size === 0) return;
  const id = `aud_refused_${entry.created_at.slice(0, 10)}/${entry.token_id ?? entry.user_id}/${entry.operation}`;
  await write(records, "audit", {
    id,
    by: (present) => (present ? { ...present, count: (present.count ?? 1) + 1 } : { ...entry, id }),
  });
}

/** The input fields that identify what is changed: ids and names. No field that takes a secret or free text matches. */
const identifyingField = /^(?:id|.*_id|name|username|entity|property|quota|bucket|key)$/;

/** Returns what a change is made to: the path's parameters, and the input fields that identify something. */
function targetOf({ row: { operation }, input }: AuditedChange): Record<string, string> {
  const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
  const named = [...operation.params, ...fields.filter((name) => identifyingField.test(name))];
  const shown = named.flatMap((name) => {
    const value = input[name];
    return typeof value === "string" ? [[name, value.slice(0, 256)] as const] : [];
  });
  return Object.fromEntries(shown);
}

/**
 * Returns the entry of the audit log for a change. Of the input it holds only what identifies the target, which is never a secret. Its id
 * is that of the event, which keeps the order of changes requested in the same millisecond.
 */
function toAuditEntry(change: AuditedChange, outcome: string): AuditEntry {
  const { row, caller, region, eventId, now } = change;
  const { reseller, client_id } = scopeAt(caller.scope);
  return {
    id: `aud_${eventId}`,
    created_at: new Date(now).toISOString(),
    reseller,
    client_id,
    user_id: caller.user.id,
    token_id: caller.token_id,
    operation: `${row.area}.${row.name}`,
    target: targetOf(change),
    region,
    outcome,
    event_id: eventId,
  };
}
