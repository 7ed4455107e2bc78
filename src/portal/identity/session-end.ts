import type { StoredSession } from "../../operations/records/sessions.ts";

/** The time after its last use at which a session ends (CONSOLE, C4), in milliseconds. */
const idleMs = 30 * 60_000;

/** Returns the instant at which a session ends if it is not used again, in milliseconds since the epoch. */
export function idleEndOf({ seen_at, ends_at }: Pick<StoredSession, "seen_at" | "ends_at">): number {
  return Math.min(Date.parse(seen_at) + idleMs, Date.parse(ends_at));
}
