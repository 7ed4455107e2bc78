import type { StoredLeftover, StoredProjectPurge } from "../../operations/records/cloud.ts";

/** Milliseconds after which the process of an attempt counts as dead: emptying a bucket may take ten minutes. */
const leaseMs = 15 * 60_000;

/** Milliseconds without progress after which a purge is stuck: a cluster takes most of an hour to go. */
const patienceMs = 90 * 60_000;

/** Milliseconds between two attempts: as long as there was no progress, within bounds. */
const pauses = { least: 5_000, most: 120_000 };

/** The most things that a record names. */
const mostNamed = 100;

/** What an attempt found. */
export interface PurgeRound {
  readonly left: readonly StoredLeftover[];
  /** Why it could not go on; null where it could. */
  readonly message: string | null;
  readonly now: number;
}

/** True for a purge whose next attempt is due, or whose process has died. */
export function isDue({ state, retry_at }: StoredProjectPurge, now: number): boolean {
  return state === "running" && retry_at <= now;
}

/** An attempt begins: until its process counts as dead, no other does. */
export function claim(purge: StoredProjectPurge, now: number): StoredProjectPurge {
  return { ...purge, retry_at: now + leaseMs };
}

/** An attempt has ended. Fewer things than ever are progress; without any for long enough the purge is stuck. */
export function afterRound(purge: StoredProjectPurge, { left, message, now }: PurgeRound): StoredProjectPurge {
  const isRead = message === null || left.length > 0;
  const hasProgress = isRead && (purge.fewest === null || left.length < purge.fewest);
  const progress_at = hasProgress ? now : purge.progress_at;
  const idle = now - progress_at;
  return {
    ...purge,
    ...(isRead ? { left: left.slice(0, mostNamed), left_count: left.length } : {}),
    fewest: hasProgress ? left.length : purge.fewest,
    progress_at,
    message,
    state: idle >= patienceMs ? "stuck" : "running",
    retry_at: now + Math.min(Math.max(idle, pauses.least), pauses.most),
  };
}
