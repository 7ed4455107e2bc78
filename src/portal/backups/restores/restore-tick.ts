import type { StoredBackupRestore } from "../../../operations/records/backups.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { moveRestore } from "../move.ts";
import { isActive, isOrphaned, isToDiscard, releaseRestore } from "../planning/restore-states.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";
import { graceMs, type RunQueue } from "../runs/run-queue.ts";
import { discardRestore, notifyEnd, runRestore } from "./run-restore.ts";

/** Milliseconds for which an ended restore is shown. */
const retentionMs = 30 * 86_400_000;

/**
 * One tick of the restores: takes over those of dead processes, starts what has a place, removes what failed ones have left, and forgets what ended long ago. The restores of
 * one backup run one after the other. It waits for none that takes long. Any number of processes may run it.
 */
export async function restoreTick(deps: BackupDeps, queue: RunQueue): Promise<void> {
  const { records, regions, clock } = deps;
  const now = clock.now();
  const restores = (await readAll(records, "backup_restore")).filter(({ region }) => regions[region]?.backups);
  const waiting: StoredBackupRestore[] = [];
  const failed: StoredBackupRestore[] = [];
  const busy = new Set<string>();
  for (const restore of restores) {
    const present = isOrphaned(restore, now) ? await takeOver(deps, restore) : restore;
    const isFirst = present !== undefined && isActive(present) && !busy.has(present.backup_id);
    if (isFirst) busy.add(present.backup_id);
    if (isFirst && present.state === "queued") waiting.push(present);
    if (present !== undefined && isToDiscard(present, now)) failed.push(present);
    else if (present !== undefined && isOld(present, now)) await records.remove("backup_restore", present.id);
  }
  queue.add(
    waiting.map((restore) => ({ ...placeOf(restore), id: restore.id, run: () => runRestore(deps, restore.id) })),
  );
  queue.add(
    failed.map((one) => ({ ...placeOf(one), id: `${one.id}/discard`, run: () => discardRestore(deps, one.id) })),
  );
  await queue.settled(clock, graceMs);
}

const placeOf = ({ region, reseller, client_id }: StoredBackupRestore) => {
  return { region, tenant: JSON.stringify([reseller, client_id]) };
};

/** True for one that ended long ago and has left nothing. */
function isOld(restore: StoredBackupRestore, now: number): boolean {
  if (isActive(restore) || typeof restore.discard_at === "number") return false;
  return (restore.ended_at ?? now) + retentionMs <= now;
}

async function takeOver(deps: BackupDeps, { id }: StoredBackupRestore): Promise<StoredBackupRestore | undefined> {
  const released = await moveRestore(deps.records, id, (present) => releaseRestore(present, deps.clock.now()));
  if (released?.state === "failed") await notifyEnd(deps, released);
  return released;
}
