import { stat } from "node:fs/promises";
import { GatewayError } from "../../../src/errors.ts";
import type { BackupJob, BackupMade, DriverCall } from "../../../src/portal/backup-driver.ts";
import { checkArchive } from "./archive.ts";
import { absent, type BackupGround, gigabyte, idOf } from "./backup-ground.ts";
import { nowOf } from "./endpoint.ts";
import type { Thing } from "./inventory.ts";
import { findExceeded, projectOf } from "./quotas.ts";
import { archivePath } from "./restore.ts";
import { writeBackup } from "./write-backup.ts";

/** The same backup in the same zone has the same id, so that a driver that is asked again knows what it has begun. */
function snapshotOf({ backup_id, zone = "" }: BackupJob): string {
  return idOf("backup", backup_id, zone);
}

/** Makes a backup of a volume, full or of what changed since its parent. Asked again, it goes on with what was begun. */
export async function makeBackup(job: BackupJob, call: DriverCall, ground: BackupGround): Promise<BackupMade> {
  await ground.opened();
  const { inventory, folder } = ground;
  const volume = await sourceOf(job, ground);
  const snapshot = snapshotOf(job);
  const bytes = Number(volume.size) * gigabyte;
  const begun = await inventory.find("backups", snapshot);
  if (begun?.status === "available") return madeOf(begun, { volume, path: archivePath(folder, snapshot) });
  await checkRoom(volume, ground);
  const parent = job.is_full ? undefined : await parentOf(job, ground);
  const backup = { ...shownBackup(job, { snapshot, volume }, ground), is_incremental: parent !== undefined, parent };
  await inventory.put("backups", snapshot, { ...backup, status: "creating" });
  ground.onPhase("noted", snapshot);
  const present = parent === undefined ? [] : (await checkArchive(archivePath(folder, parent))).sums;
  const about = { backup_id: job.backup_id, volume_id: job.resource_id, bytes, parent: parent ?? null };
  await writeBackup({ snapshot, about, present, call }, ground);
  ground.onPhase("written", snapshot);
  const made = await inventory.put("backups", snapshot, { ...backup, status: "available" });
  return madeOf(made, { volume, path: archivePath(folder, snapshot) });
}

async function sourceOf({ resource_type, resource_id, project_id }: BackupJob, { inventory }: BackupGround) {
  if (resource_type !== "volume") {
    const message = `The embedded cloud backs up volumes, not \`${resource_type}\`.`;
    throw new GatewayError("invalid_request", message, { param: "resource_type" });
  }
  const volume = await inventory.find("volumes", resource_id);
  if (volume === undefined || (project_id !== undefined && projectOf(volume) !== project_id))
    throw absent("volume", resource_id);
  return volume;
}

async function checkRoom(volume: Thing, ground: BackupGround): Promise<void> {
  const exceeded = await findExceeded(
    "backups",
    { project: String(projectOf(volume)), gigabytes: Number(volume.size) },
    ground,
  );
  if (exceeded !== undefined) throw new GatewayError("quota_exceeded", `The project's quota is used up: ${exceeded}.`);
}

/** What an incremental backup builds on: what the job names, which must be there and of the same volume. */
async function parentOf({ parent, resource_id }: BackupJob, { inventory }: BackupGround): Promise<string> {
  const found = parent === undefined ? undefined : await inventory.find("backups", parent);
  if (parent !== undefined && found?.volume_id === resource_id && found.status === "available") return parent;
  throw new GatewayError(
    "invalid_request",
    "An incremental backup needs an available full one of the same volume first.",
    {
      param: "parent",
    },
  );
}

interface Source {
  readonly snapshot: string;
  readonly volume: Thing;
}

/** A backup in Cinder's words. */
function shownBackup(job: BackupJob, { snapshot, volume }: Source, ground: BackupGround): Thing {
  return {
    id: snapshot,
    name: `tollgate-${job.backup_id}`,
    volume_id: job.resource_id,
    size: volume.size,
    container: job.zone ?? null,
    created_at: nowOf(ground),
    "os-backup-project-attr:project_id": projectOf(volume),
    snapshot: true,
  };
}

async function madeOf(backup: Thing, { volume, path }: { volume: Thing; path: string }): Promise<BackupMade> {
  const { size: allocated } = await stat(path);
  const volume_type = typeof volume.volume_type === "string" ? volume.volume_type : undefined;
  const is_full = backup.is_incremental !== true;
  return { snapshot: String(backup.id), size: Number(backup.size) * gigabyte, allocated, is_full, volume_type };
}
