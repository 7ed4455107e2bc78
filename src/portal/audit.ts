import { z } from "zod";
import type { AuditEntry } from "../api/portal/users.ts";
import { toGatewayError } from "../errors.ts";
import type { Method } from "../operations/invoke.ts";
import type { PortalRow } from "../operations/portal/table.ts";
import type { Records } from "../ports/records.ts";
import { type Caller, placeAt } from "./call.ts";

/** One change that was asked for. */
export interface Change {
  readonly row: PortalRow;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly region: string;
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** True for operations that change something. */
export function isChange({ operation }: PortalRow): boolean {
  return operation.method !== "GET";
}

/** What an entry says until it is known what became of the change; for ever where the process ended before. */
const begun = "begun";

/** A change, and where the audit log is. */
interface Witnessing {
  readonly records: Records;
  readonly change: Change;
}

/**
 * Runs a change with its entry in the audit log, whatever becomes of it: written before the method begins, so that no change is without
 * one when the process dies in it, and completed with the outcome. What is refused before the method is written once.
 */
export async function witness(
  { records, change }: Witnessing,
  method: Method | undefined,
  run: (method: Method | undefined) => Promise<unknown>,
): Promise<unknown> {
  let version = 0;
  const witnessed: Method = async (input) => {
    await records.put("audit", toAuditEntry(change, begun), version);
    version = 1;
    return method?.(input);
  };
  let outcome = "ok";
  try {
    return await run(method && witnessed);
  } catch (thrown) {
    outcome = toGatewayError(thrown).code;
    throw thrown;
  } finally {
    await records.put("audit", toAuditEntry(change, outcome), version);
  }
}

/** Fields of inputs that say what is changed; identifiers and names, and none that takes a secret or what people write. */
const telling = /^(?:id|.*_id|name|username|entity|property|quota|bucket|key)$/;

/** What a change is of: the path's parameters, and of the other fields those that name something. */
function targetOf({ row: { operation }, input }: Change): Record<string, string> {
  const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
  const named = [...operation.params, ...fields.filter((name) => telling.test(name))];
  const shown = named.flatMap((name) => {
    const value = input[name];
    return typeof value === "string" ? [[name, value.slice(0, 256)] as const] : [];
  });
  return Object.fromEntries(shown);
}

/**
 * The entry of the audit log for a change: of its input only what it is of, which is no secret. Its id is that of the event,
 * and so keeps the order of changes that were asked for in the same millisecond.
 */
function toAuditEntry(change: Change, outcome: string): AuditEntry {
  const { row, caller, region, eventId, now } = change;
  const { reseller, client_id } = placeAt(caller.place);
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
