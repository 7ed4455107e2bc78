import { GatewayError } from "../../../engine/errors.ts";
import type { StoredBackup, StoredBackupCopy } from "../../../operations/records/backups.ts";
import type { BackupMade } from "../../backup-driver.ts";
import { windowEnd } from "./schedule.ts";

const instant = (at: number) => new Date(at).toISOString();

/** The lease of the process that makes a backup, in milliseconds: it counts as alive for so long after its last renewal. */
export const leaseMs = 60_000;

/** Scheduled → queued. Throws `conflict` in any other state. */
export function enqueue(backup: StoredBackup): StoredBackup {
  return { ...expect(backup, ["scheduled"], "be queued"), state: "queued" };
}

/** An extra backup like a scheduled one, queued now. The scheduled one stays as it is. Throws `conflict` in any other state. */
export function forceStart(scheduled: StoredBackup, id: string, now: number): StoredBackup {
  const planned = expect(scheduled, ["scheduled"], "be started");
  return { ...planned, id, created_at: instant(now), state: "queued", scheduled_at: now, manual: true };
}

/** Queued → running: the process that writes this makes the backup, and no other one until the lease ends. */
export function start(backup: StoredBackup, maker: string, now: number): StoredBackup {
  const started_at = backup.started_at ?? now;
  return {
    ...expect(backup, ["queued"], "be made"),
    state: "running",
    maker,
    lease_until: now + leaseMs,
    started_at,
    retry_at: null,
  };
}

/** Renews the lease of the process that makes the backup. */
export function renew(backup: StoredBackup, maker: string, now: number): StoredBackup {
  return { ...expectMaker(backup, maker), lease_until: now + leaseMs };
}

/** Adds a finished copy. The backup stays running until its last copy, and is full if its first one is. */
export function addCopy(
  backup: StoredBackup,
  maker: string,
  { created, copy }: { readonly created: BackupMade; readonly copy: StoredBackupCopy },
): StoredBackup {
  const { size, allocated, volume_type = null } = created;
  const copies = [...expectMaker(backup, maker).copies, copy];
  const isFirst = copies.length === 1;
  const is_full = isFirst ? created.is_full : backup.is_full;
  const parent_id = isFirst && created.is_full ? null : backup.parent_id;
  return { ...backup, copies, size, allocated, is_full, parent_id, pending_parent: null, volume_type };
}

/** Running → available. */
export function succeed(backup: StoredBackup, maker: string, now: number): StoredBackup {
  const running = expectMaker(backup, maker);
  return { ...running, state: "available", maker: null, lease_until: null, processed_at: now, message: null };
}

/** A failed attempt, and what the policy says of further ones. */
interface FailedAttempt {
  readonly message: string;
  /** Attempts after the first. */
  readonly retry: number;
  /** Hours of the window in which attempts may begin; a manual backup has none. */
  readonly window: number;
  /** The time zone of the window. */
  readonly timezone: string;
  readonly now: number;
  /** Its process died: another one goes on at once. */
  readonly isAbandoned?: boolean;
}

/** Milliseconds before the second attempt; each further pause is three times the one before. */
const firstPauseMs = 10 * 60_000;

/**
 * Records a failed attempt: the backup is queued again after a pause, or has failed after its last attempt, or where the next one would
 * begin behind its window.
 */
export function failOnce(backup: StoredBackup, attempt: FailedAttempt): StoredBackup {
  const { message, retry, window, timezone, now, isAbandoned = false } = attempt;
  const failing = expect(backup, ["queued", "running"], "fail");
  const retries = backup.retries + 1;
  const ended = { ...failing, maker: null, lease_until: null, retries, message };
  const retry_at = isAbandoned ? now : now + firstPauseMs * 3 ** (retries - 1);
  const { manual, starting_hour: startingHour, scheduled_at } = backup;
  const isInTime = manual || isAbandoned || retry_at < windowEnd({ window, startingHour, timezone }, scheduled_at);
  if (retries <= retry && isInTime) return { ...ended, state: "queued", retry_at };
  return { ...ended, state: "failed", retry_at: null, processed_at: now };
}

/** True for a queued backup that is not in a pause after a failed attempt. */
export function isWaiting({ state, retry_at }: StoredBackup, now: number): boolean {
  return state === "queued" && (retry_at ?? 0) <= now;
}

/** Scheduled, queued or running → canceled. */
export function cancel(backup: StoredBackup, by: string, now: number): StoredBackup {
  const canceled = expect(backup, ["scheduled", "queued", "running"], "be canceled");
  return { ...canceled, state: "canceled", maker: null, lease_until: null, canceled_at: now, canceled_by: by };
}

/** Keeps all remaining copies until an instant, never shorter than before. Throws `conflict` unless the backup is available. */
export function extend(backup: StoredBackup, until: (expiresAt: number) => number): StoredBackup {
  const copies = expect(backup, ["available"], "be kept for longer").copies.map((copy) =>
    copy.is_removed ? copy : { ...copy, expires_at: Math.max(copy.expires_at, until(copy.expires_at)) },
  );
  return { ...backup, copies };
}

/** A copy was removed; available → expired with the last one. */
export function removeCopy(backup: StoredBackup, snapshot: string): StoredBackup {
  const copies = expect(backup, ["available"], "expire").copies.map((copy) =>
    copy.snapshot === snapshot ? { ...copy, is_removed: true } : copy,
  );
  return { ...backup, copies, state: copies.every(({ is_removed }) => is_removed) ? "expired" : "available" };
}

/** Marks a copy of a failed or canceled backup as removed. */
export function dropCopy(backup: StoredBackup, snapshot: string): StoredBackup {
  const ended = expect(backup, ["failed", "canceled"], "be swept");
  return { ...ended, copies: ended.copies.filter((copy) => copy.snapshot !== snapshot) };
}

/** A restore that the driver reported as done; only of an available backup. */
export function noteRestore(backup: StoredBackup, now: number): StoredBackup {
  return { ...expect(backup, ["available"], "be restored"), last_restore: now };
}

/** Returns the copy to restore from: the first that is left. Throws `conflict` unless the backup is available. */
export function copyToRestore(backup: StoredBackup): StoredBackupCopy {
  const copy = expect(backup, ["available"], "be restored").copies.find(({ is_removed }) => !is_removed);
  if (copy) return copy;
  throw new GatewayError("conflict", `The backup \`${backup.id}\` has no copy left.`);
}

/** True for a running backup whose lease has ended: its process died. */
export function isAbandoned({ state, lease_until }: StoredBackup, now: number): boolean {
  return state === "running" && lease_until !== null && lease_until < now;
}

/** Throws `conflict` unless this process makes the backup. */
export function expectMaker(backup: StoredBackup, maker: string): StoredBackup {
  if (expect(backup, ["running"], "be made").maker === maker) return backup;
  throw new GatewayError("conflict", `Another process is making the backup \`${backup.id}\`.`);
}

function expect(backup: StoredBackup, states: readonly StoredBackup["state"][], what: string): StoredBackup {
  if (states.includes(backup.state)) return backup;
  throw new GatewayError("conflict", `The backup \`${backup.id}\` is ${backup.state}: it cannot ${what}.`);
}
