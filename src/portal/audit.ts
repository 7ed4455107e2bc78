import type { AuditEntry } from "../api/portal/users.ts";
import type { PortalRow } from "../operations/portal/table.ts";
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

/**
 * The entry of the audit log for a change: of its input only the path's parameters, which are no secrets. Its id is that of the event,
 * and so keeps the order of changes that were asked for in the same millisecond.
 */
export function toAuditEntry({ row, input, caller, region, eventId, now }: Change, outcome: string): AuditEntry {
  const { reseller, client_id } = placeAt(caller.place);
  const target = row.operation.params.map((name) => [name, String(input[name] ?? "").slice(0, 256)]);
  return {
    id: `aud_${eventId}`,
    created_at: new Date(now).toISOString(),
    reseller,
    client_id,
    user_id: caller.user.id,
    token_id: caller.token_id,
    operation: `${row.area}.${row.name}`,
    target: Object.fromEntries(target),
    region,
    outcome,
    event_id: eventId,
  };
}
