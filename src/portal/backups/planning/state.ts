import type { StoredBackup, StoredBackupCopy } from "../../../api/portal/backups.ts";
import { GatewayError } from "../../../errors.ts";
import type { BackupMade } from "../../backup-driver.ts";

/** The lease of the process that makes a backup, in milliseconds: it counts as alive for so long after its last renewal. */
export const leaseMs = 60_000;

/** Scheduled → queued. Throws `conflict` in any other state. */
export function enqueue(backup: StoredBackup): StoredBackup {
  return { ...expect(backup, ["scheduled"], "be queued"), state: "queued" };
}

/** Scheduled → queued now, by hand. */
export function forceStart(backup: StoredBackup, now: number): StoredBackup {
  return { ...enqueue(expect(backup, ["scheduled"], "be started")), scheduled_at: now, manual: true };
}

/** Queued → running: the process that writes this makes the backup, and no other one until the lease ends. */
export function start(backup: StoredBackup, maker: string, now: number): StoredBackup {
  const started_at = backup.started_at ?? now;
  return { ...expect(backup, ["queued"], "be made"), state: "running", maker, lease_until: now + leaseMs, started_at };
}

/** Renews the lease of the process that makes the backup. */
export function renew(backup: StoredBackup, maker: string, now: number): StoredBackup {
  return { ...expectMaker(backup, maker), lease_until: now + leaseMs };
}

/** Adds a finished copy. The backup stays running until its last copy. */
export function addCopy(
  backup: StoredBackup,
  maker: string,
  { created, copy }: { readonly created: BackupMade; readonly copy: StoredBackupCopy },
): StoredBackup {
  const { size, allocated, is_full, volume_type = null } = created;
  const copies = [...expectMaker(backup, maker).copies, copy];
  return { ...backup, copies, size, allocated, is_full, volume_type };
}

/** Running → available. */
export function succeed(backup: StoredBackup, maker: string, now: number): StoredBackup {
  const running = expectMaker(backup, maker);
  return { ...running, state: "available", maker: null, lease_until: null, processed_at: now, message: null };
}

/** Records a failed attempt: the backup is queued again, or has failed after its last attempt. */
export function failOnce(
  backup: StoredBackup,
  { message, retry, now }: { readonly message: string; readonly retry: number; readonly now: number },
): StoredBackup {
  const failing = expect(backup, ["queued", "running"], "fail");
  const retries = backup.retries + 1;
  if (retries <= retry) return { ...failing, state: "queued", maker: null, lease_until: null, retries, message };
  return { ...failing, state: "failed", maker: null, lease_until: null, retries, message, processed_at: now };
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
