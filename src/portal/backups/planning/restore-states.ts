import { GatewayError } from "../../../engine/errors.ts";
import type { StoredBackup, StoredBackupRestore, StoredRestoreTarget } from "../../../operations/records/backups.ts";
import { leaseMs } from "./state.ts";

/** What a restore is made of. */
interface RestoreRequest {
  readonly id: string;
  /** The driver's id of the copy. */
  readonly snapshot: string;
  readonly target: StoredRestoreTarget;
  /** The user's name. */
  readonly by: string;
  readonly now: number;
}

const minute = 60_000;

/** Milliseconds after a failure until which a service may still carry out what it has not answered. */
const lateMs = 10 * minute;

/** Processes that may die during one restore before it is given up. */
const mostAbandoned = 3;

/** Returns the record of a restore that waits for its run. */
export function newRestore(
  { id: backup_id, reseller, client_id, user_id = null, region, resource_id }: StoredBackup,
  { id, snapshot, target, by, now }: RestoreRequest,
): StoredBackupRestore {
  return {
    ...{ id, created_at: new Date(now).toISOString(), reseller, client_id, user_id },
    ...{ state: "queued", region, backup_id, snapshot, resource_id, target, requested_by: by, requested_at: now },
    ...{ abandoned: 0, maker: null, lease_until: null, ended_at: null, message: null },
  };
}

/** True while a restore waits or runs. */
export function isActive({ state }: StoredBackupRestore): boolean {
  return state === "queued" || state === "running";
}

/** True for a running restore whose lease has ended: its process died. */
export function isOrphaned({ state, lease_until }: StoredBackupRestore, now: number): boolean {
  return state === "running" && lease_until !== null && lease_until < now;
}

/** Queued → running: the process that writes this restores, and no other one until the lease ends. */
export function beginRestore(restore: StoredBackupRestore, maker: string, now: number): StoredBackupRestore {
  if (restore.state !== "queued") throw moved(restore);
  return { ...restore, state: "running", maker, lease_until: now + leaseMs };
}

/** Renews the lease of the process that restores. Throws `conflict` for any other process. */
export function renewRestore(restore: StoredBackupRestore, maker: string, now: number): StoredBackupRestore {
  return { ...expectRestorer(restore, maker), lease_until: now + leaseMs };
}

/** Running → done, or failed with a message. Throws `conflict` for any other process. */
export function endRestore(
  restore: StoredBackupRestore,
  maker: string,
  { message, now }: { readonly message: string | null; readonly now: number },
): StoredBackupRestore {
  const state = message === null ? "done" : "failed";
  const discard_at = message === null ? null : now;
  const ended = { maker: null, lease_until: null, ended_at: now, message, discard_at };
  return { ...expectRestorer(restore, maker), ...ended, state };
}

/** The restore of a dead process waits for another one; after the last of these it has failed. */
export function releaseRestore(restore: StoredBackupRestore, now: number): StoredBackupRestore {
  if (!isOrphaned(restore, now)) throw moved(restore);
  const abandoned = restore.abandoned + 1;
  const released = { ...restore, maker: null, lease_until: null, abandoned };
  if (abandoned <= mostAbandoned) return { ...released, state: "queued" };
  const message = `The process that restored stopped before the end ${abandoned} times.`;
  return { ...released, state: "failed", ended_at: now, message, discard_at: now };
}

/** True for a failed restore that may have left something, at the time to look for it. */
export function isToDiscard({ state, discard_at }: StoredBackupRestore, now: number): boolean {
  return state === "failed" && typeof discard_at === "number" && discard_at <= now;
}

/** The process that writes this removes what the restore left; another one does where this one has not, after a pause that grows to an hour. */
export function beginDiscard(restore: StoredBackupRestore, now: number): StoredBackupRestore {
  if (!isToDiscard(restore, now)) throw moved(restore);
  const passed = now - (restore.ended_at ?? now);
  return { ...restore, discard_at: now + Math.min(Math.max(passed, minute), 60 * minute) };
}

/** Nothing is left. What was not answered may still come: it is looked for once more. */
export function endDiscard(restore: StoredBackupRestore, now: number): StoredBackupRestore {
  const lastLook = (restore.ended_at ?? now) + lateMs;
  return { ...restore, discard_at: now < lastLook ? lastLook : null };
}

function expectRestorer(restore: StoredBackupRestore, maker: string): StoredBackupRestore {
  if (restore.state === "running" && restore.maker === maker) return restore;
  throw moved(restore);
}

function moved({ id, state }: StoredBackupRestore): GatewayError {
  return new GatewayError("conflict", `The restore \`${id}\` is ${state}: another process has it.`);
}
