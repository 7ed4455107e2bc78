import type { StoredBackupRestore } from "../../../api/portal/backups.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { moveRestore } from "../move.ts";
import { isActive, isOrphaned, releaseRestore } from "../planning/restore-states.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";
import { graceMs, type RunQueue } from "../runs/run-queue.ts";
import { notifyEnd, runRestore } from "./run-restore.ts";

/** Milliseconds for which an ended restore is shown. */
const retentionMs = 30 * 86_400_000;

/**
 * One tick of the restores: takes over those of dead processes, starts what has a place, and forgets what ended long ago. The restores of
 * one backup run one after the other. It waits for none that takes long. Any number of processes may run it.
 */
export async function restoreTick(deps: BackupDeps, queue: RunQueue): Promise<void> {
  const { records, regions, clock } = deps;
  const now = clock.now();
  const restores = (await readAll(records, "backup_restore")).filter(({ region }) => regions[region]?.backups);
  const waiting: StoredBackupRestore[] = [];
  const busy = new Set<string>();
  for (const restore of restores) {
    const present = isOrphaned(restore, now) ? await takeOver(deps, restore) : restore;
    const isFirst = present !== undefined && isActive(present) && !busy.has(present.backup_id);
    if (isFirst) busy.add(present.backup_id);
    if (isFirst && present.state === "queued") waiting.push(present);
    const isOld = present !== undefined && !isActive(present) && (present.ended_at ?? now) + retentionMs <= now;
    if (isOld) await records.remove("backup_restore", present.id);
  }
  queue.add(
    waiting.map(({ id, region, reseller, client_id }) => ({
      ...{ id, region, tenant: JSON.stringify([reseller, client_id]), run: () => runRestore(deps, id) },
    })),
  );
  await queue.settled(clock, graceMs);
}

async function takeOver(deps: BackupDeps, { id }: StoredBackupRestore): Promise<StoredBackupRestore | undefined> {
  const released = await moveRestore(deps.records, id, (present) => releaseRestore(present, deps.clock.now()));
  if (released?.state === "failed") await notifyEnd(deps, released);
  return released;
}
