/** The ends of a session, and when somebody last did something; in milliseconds since 1970. */
export interface SessionTimes {
  readonly idleEndsAt: number;
  readonly endsAt: number;
  readonly activeAt: number;
  /** When the session was begun or renewed last. */
  readonly renewedAt: number;
}

/** What to do about a session now. */
export type SessionStep = "renew" | "warn" | "none";

const minute = 60_000;
/** Before its absolute end somebody is warned; no renewal moves that. */
const warnBefore = 5 * minute;

/**
 * What to do about a session: warn before its absolute end; renew it in the second half of its idle time, if somebody has done something
 * since it was renewed last. A page that nobody looks at lets it end.
 */
export function stepOf({ idleEndsAt, endsAt, activeAt, renewedAt }: SessionTimes, now: number): SessionStep {
  if (endsAt - now <= warnBefore) return "warn";
  const isUsed = activeAt > renewedAt;
  const isHalfOver = now > renewedAt + (idleEndsAt - renewedAt) / 2;
  return isUsed && isHalfOver && now < idleEndsAt ? "renew" : "none";
}
