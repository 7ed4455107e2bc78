import type { Records } from "../../engine/ports/records.ts";
import type { AuditEntry } from "../../operations/records/users.ts";
import { actorOf } from "../call/actor.ts";
import { scopeAt } from "../call/call.ts";
import type { KnownCaller } from "../identity/caller-cache.ts";

/** A login or logout. */
interface LoginEvent {
  readonly operation: "sessions.login" | "sessions.logout";
  readonly known: KnownCaller;
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes a login or logout to the audit log. */
export async function auditLogin(records: Records, { operation, known, eventId, now }: LoginEvent): Promise<void> {
  const { user, scope, token_id } = known.caller;
  const { reseller, client_id } = scopeAt(scope);
  const entry: AuditEntry = {
    ...{ id: `aud_${eventId}`, created_at: new Date(now).toISOString(), reseller, client_id },
    ...{ user_id: user.id, token_id, operation, target: {}, region: "", outcome: "ok", event_id: eventId },
    actor: actorOf(known.caller),
  };
  await records.put("audit", entry, 0);
}
