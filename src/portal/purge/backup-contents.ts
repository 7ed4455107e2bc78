import { isGatewayError } from "../../engine/errors.ts";
import type { StoredBackup } from "../../operations/records/backups.ts";
import type { BackupDriver } from "../backup-driver.ts";
import { moveBackup } from "../backups/move.ts";
import { cancel, removeCopy } from "../backups/planning/state.ts";
import type { PortalCall } from "../call/call.ts";
import type { Belonging, ProjectContents, Undeletable } from "../project-contents.ts";
import { readAll } from "../tenancy/record-access.ts";

/** The backups of a project's volumes that the portal has made. */
export function backupContents(driver: BackupDriver): ProjectContents {
  return {
    listContents: async ({ project_id }, call) =>
      (await backupsOf(project_id, call)).filter(({ state }) => state !== "queued").map(toBelonging),
    async removeContents({ project_id }, call) {
      for (const assignment of await readAll(call.allRecords, "backup_assignment"))
        if (assignment.region === call.region && assignment.project_id === project_id)
          await call.allRecords.remove("backup_assignment", assignment.id);
      const refused: Undeletable[] = [];
      for (const backup of (await backupsOf(project_id, call)).toReversed())
        refused.push(...(await removeBackup(driver, backup, call)));
      return refused;
    },
  };
}

/** Those that have copies or will, the oldest first. */
async function backupsOf(projectId: string, { allRecords, region }: PortalCall): Promise<StoredBackup[]> {
  const states: readonly StoredBackup["state"][] = ["queued", "running", "available"];
  const all = await readAll(allRecords, "backup");
  return all
    .filter((backup) => backup.project_id === projectId && backup.region === region && states.includes(backup.state))
    .toSorted((one, other) => one.scheduled_at - other.scheduled_at);
}

function toBelonging({ id, resource_id }: StoredBackup): Belonging {
  return { kind: "backups of volumes", id, name: resource_id };
}

/** What is being made is canceled: the scheduler removes what it has left. */
async function removeBackup(driver: BackupDriver, backup: StoredBackup, call: PortalCall): Promise<Undeletable[]> {
  const { allRecords: records, now, signal } = call;
  if (backup.state !== "available") {
    await moveBackup(records, backup.id, (present) => cancel(present, call.caller.user.username, now));
    return [];
  }
  try {
    for (const { snapshot, is_removed } of backup.copies) {
      if (is_removed) continue;
      await driver.remove(snapshot, { signal, now });
      await moveBackup(records, backup.id, (present) => removeCopy(present, snapshot));
    }
    return [];
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    return [{ ...toBelonging(backup), reason: thrown.message }];
  }
}
