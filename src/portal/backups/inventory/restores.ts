import type { Records, Where } from "../../../engine/ports/records.ts";
import type { BackupEntry } from "../../../operations/portal/infrastructure/backup-resources.ts";
import type { StoredBackup, StoredBackupRestore } from "../../../operations/records/backups.ts";
import type { PortalCall } from "../../call/call.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { isActive } from "../planning/restore-states.ts";
import { type LatestRestores, showEntry } from "./show.ts";

/** Reads the latest restore of each backup. */
export async function latestRestores(records: Records, where?: Where<"backup_restore">): Promise<LatestRestores> {
  const all = await readAll(records, "backup_restore", where); // in order of creation
  return new Map(all.map((restore) => [restore.backup_id, restore]));
}

/** Reads which volumes a backup is being written over, by any caller. */
export async function restoringVolumes({ allRecords, region }: PortalCall): Promise<ReadonlySet<string>> {
  const all = await readAll(allRecords, "backup_restore");
  return new Set(all.filter((one) => isWritingOver(one, region)).map(({ resource_id }) => resource_id));
}

function isWritingOver(restore: StoredBackupRestore, region: string): boolean {
  return restore.region === region && restore.target.kind === "source" && isActive(restore);
}

/** Backups as a list shows them. */
export async function showAll(backups: readonly StoredBackup[], { records }: PortalCall): Promise<BackupEntry[]> {
  const restores = await latestRestores(records);
  return backups.map((backup) => showEntry(backup, restores));
}
