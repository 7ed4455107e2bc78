import { createAborter } from "../../abortable.ts";
import type { StoredBackup, StoredBackupCopy } from "../../api/portal/backups.ts";
import { isGatewayError } from "../../errors.ts";
import { readAll } from "../shelf.ts";
import { moveBackup } from "./move.ts";
import { isNeeded } from "./plan.ts";
import { dropCopy, removeCopy } from "./state.ts";
import type { Works } from "./works.ts";

/**
 * Removes the copies that have had their time, and those of backups that failed or were canceled. A backup that others build on stays as
 * long as they do; what the back end cannot remove now is tried again in the next round.
 */
export async function removeCopies(works: Works, id: string): Promise<void> {
  const { records, regions, clock } = works;
  const backup = (await records.get("backup", id))?.record;
  const driver = backup && regions[backup.region]?.backups;
  if (!backup || !driver) return;
  const now = clock.now();
  const over = backup.copies.filter((copy) => isOver(backup, copy, now));
  if (over.length === 0) return;
  const { assignment_id } = backup;
  if (isNeeded(backup, await readAll(records, "backup", { assignment_id }))) return;
  for (const { snapshot } of over) {
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
