import { stat } from "node:fs/promises";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { BackupJob, BackupMade, DriverCall } from "../../../../src/portal/backup-driver.ts";
import { nowOf } from "../endpoint.ts";
import type { Resource } from "../inventory.ts";
import { findExceeded, projectOf } from "../openstack/quotas.ts";
import { gigabyte } from "../volume-files.ts";
import { archivePath, checkArchive } from "./archive.ts";
import { absent, type BackupContext, idOf } from "./context.ts";
import { writeBackup } from "./write-backup.ts";

/** The same backup in the same zone has the same id, so that a driver that is asked again knows what it has begun. */
function snapshotOf({ backup_id, zone = "" }: BackupJob): string {
  return idOf("backup", backup_id, zone);
}

/** Makes a backup of a volume, full or of what changed since its parent. Asked again, it goes on with what was begun. */
export async function makeBackup(job: BackupJob, call: DriverCall, context: BackupContext): Promise<BackupMade> {
  await context.opened();
  const { inventory, folder } = context;
  const volume = await sourceOf(job, context);
  const snapshot = snapshotOf(job);
  const bytes = Number(volume.size) * gigabyte;
  const begun = await inventory.find("backups", snapshot);
  if (begun?.status === "available") return createdBackup(begun, { volume, path: archivePath(folder, snapshot) });
  await checkRoom(volume, context);
  const parent = job.is_full ? undefined : await parentOf(job, context);
  const backup = { ...shownBackup(job, { snapshot, volume }, context), is_incremental: parent !== undefined, parent };
  await inventory.put("backups", snapshot, { ...backup, status: "creating" });
  context.onPhase("noted", snapshot);
  const present = parent === undefined ? [] : (await checkArchive(archivePath(folder, parent))).sums;
  const about = { backup_id: job.backup_id, volume_id: job.resource_id, bytes, parent: parent ?? null };
  await writeBackup({ snapshot, about, present, call }, context);
  context.onPhase("written", snapshot);
  const created = await inventory.put("backups", snapshot, { ...backup, status: "available" });
  return createdBackup(created, { volume, path: archivePath(folder, snapshot) });
}

async function sourceOf({ resource_type, resource_id, project_id }: BackupJob, { inventory }: BackupContext) {
  if (resource_type !== "volume") {
    const message = `The embedded cloud backs up volumes, not \`${resource_type}\`.`;
    throw new GatewayError("invalid_request", message, { param: "resource_type" });
  }
  const volume = await inventory.find("volumes", resource_id);
  if (volume === undefined || (project_id !== undefined && projectOf(volume) !== project_id))
    throw absent("volume", resource_id);
  return volume;
}

async function checkRoom(volume: Resource, context: BackupContext): Promise<void> {
  const exceeded = await findExceeded(
    "backups",
    { project: String(projectOf(volume)), gigabytes: Number(volume.size) },
    context,
  );
  if (exceeded !== undefined) throw new GatewayError("quota_exceeded", `The project's quota is used up: ${exceeded}.`);
}

/** What an incremental backup builds on: what the job names, which must be there and of the same volume. */
async function parentOf({ parent, resource_id }: BackupJob, { inventory }: BackupContext): Promise<string> {
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

interface BackupVolumeSource {
  readonly snapshot: string;
  readonly volume: Resource;
}

/** A backup in Cinder's words. */
function shownBackup(job: BackupJob, { snapshot, volume }: BackupVolumeSource, context: BackupContext): Resource {
  return {
    id: snapshot,
    name: `tollgate-${job.backup_id}`,
    volume_id: job.resource_id,
    size: volume.size,
    container: job.zone ?? null,
    created_at: nowOf(context),
    "os-backup-project-attr:project_id": projectOf(volume),
    snapshot: true,
  };
}

async function createdBackup(
  backup: Resource,
  { volume, path }: { volume: Resource; path: string },
): Promise<BackupMade> {
  const { size: allocated } = await stat(path);
  const volume_type = typeof volume.volume_type === "string" ? volume.volume_type : undefined;
  const is_full = backup.is_incremental !== true;
  return { snapshot: String(backup.id), size: Number(backup.size) * gigabyte, allocated, is_full, volume_type };
}
