import { isGatewayError } from "../../../engine/errors.ts";
import { createAborter } from "../../../engine/runtime/abortable.ts";
import type { StoredBackup, StoredBackupCopy } from "../../../operations/records/backups.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { moveBackup } from "../move.ts";
import { isNeeded } from "../planning/plan.ts";
import { isActive } from "../planning/restore-states.ts";
import { dropCopy, removeCopy } from "../planning/state.ts";
import type { BackupDeps } from "./backup-deps.ts";

/**
 * Removes expired copies, and the copies of failed or canceled backups. A copy that incremental ones build on, or that is being restored,
 * stays as long as they do. What the back end cannot remove now is tried again in the next tick.
 */
export async function removeCopies(deps: BackupDeps, id: string): Promise<void> {
  const { records, regions, clock } = deps;
  const backup = (await records.get("backup", id))?.record;
  const driver = backup && regions[backup.region]?.backups;
  if (!backup || !driver) return;
  const now = clock.now();
  const over = backup.copies.filter((copy) => isOver(backup, copy, now));
  if (over.length === 0) return;
  if ((await readAll(records, "backup_restore", { backup_id: id })).some(isActive)) return;
  const { assignment_id } = backup;
  const others = await readAll(records, "backup", { assignment_id });
  for (const { snapshot } of over) {
    if (isNeeded(backup, snapshot, others)) continue;
    try {
      await driver.remove(snapshot, { signal: createAborter(), now });
    } catch (thrown) {
      if (isGatewayError(thrown)) return;
      throw thrown;
    }
    const by = backup.state === "available" ? removeCopy : dropCopy;
    await moveBackup(records, id, (present) => by(present, snapshot));
  }
}

function isOver({ state }: StoredBackup, { is_removed, expires_at }: StoredBackupCopy, now: number): boolean {
  if (is_removed) return false;
  return state === "available" ? expires_at <= now : state === "failed" || state === "canceled";
}
