import { createHmac, hash } from "node:crypto";
import type { Session } from "../../operations/portal/sessions.ts";
import type { StoredSession } from "../../operations/records/sessions.ts";
import type { KnownCaller } from "../identity/caller-cache.ts";
import { idleEndOf } from "../identity/session-end.ts";

/** The absolute end of a session (CONSOLE, C4). */
const longestMs = 12 * 3_600_000;

/** The last use is stored at most once a minute. */
export const seenEveryMs = 60_000;

/** Returns the hash by which a session is stored and found. */
export function hashSession(value: string): string {
  return hash("sha256", value, "hex");
}

/** Returns the value that changes must carry in `x-csrf`: it follows from the cookie, which scripts cannot read. */
export function csrfOf(value: string): string {
  return createHmac("sha256", value).update("tollgate csrf").digest("base64url");
}

/** Returns the absolute end of a session that begins now: 12 hours later, or when its token ends. */
export function endOfSession({ token }: KnownCaller, now: number): string {
  const latest = now + longestMs;
  const ends = token?.ends_at ? Math.min(latest, Date.parse(token.ends_at)) : latest;
  return new Date(ends).toISOString();
}

/** Returns a session as the console sees it. */
export function showSession(value: string, session: StoredSession, { caller }: KnownCaller): Session {
  return {
    user: { ...caller.user },
    ends_at: session.ends_at,
    idle_ends_at: new Date(idleEndOf(session)).toISOString(),
    csrf: csrfOf(value),
  };
}
