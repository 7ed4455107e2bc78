import type { OwnSession } from "../../operations/portal/console/me.ts";
import type { StoredSession } from "../../operations/records/sessions.ts";
import type { PortalCall } from "../call/call.ts";
import { idleEndOf } from "../identity/session-end.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll, remove } from "../tenancy/record-access.ts";

/** The console's sessions of the caller. */
export const ownSessions = {
  async sessions(_input, call) {
    return (await readOwn(call)).filter((one) => idleEndOf(one) > call.now).map((one) => showSession(one, call));
  },
  async endSession({ session_id }, call) {
    if (!(await readOwn(call)).some(({ id }) => id === session_id)) throw notFound("session", session_id);
    await remove(call.records, "session", session_id);
  },
  endOtherSessions: async (_input, call) => endOthers(call),
} satisfies Partial<AreaBackend<"me">>;

/** Ends the sessions of the caller but the one that the call came by. */
export async function endOthers(call: PortalCall): Promise<undefined> {
  for (const { id } of await readOwn(call)) if (id !== call.caller.session_id) await call.records.remove("session", id);
}

function readOwn({ records, caller }: PortalCall): Promise<StoredSession[]> {
  return readAll(records, "session", { user_id: caller.user.id });
}

function showSession(session: StoredSession, { caller }: PortalCall): OwnSession {
  const { id, created_at, seen_at, ends_at, token_id } = session;
  const idle_ends_at = new Date(idleEndOf(session)).toISOString();
  return { id, created_at, seen_at, idle_ends_at, ends_at, token_id, current: id === caller.session_id };
}
