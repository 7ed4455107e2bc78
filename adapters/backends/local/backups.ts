import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { GatewayError } from "../../../src/errors.ts";
import type { BackupDriver, BackupJob, BackupMade, DriverCall } from "../../../src/portal/backup-driver.ts";
import { createQueue } from "../../../src/portal/queue.ts";
import { abortError } from "../../shared/http/failure.ts";
import { type ArchivePlan, checkArchive, writeArchive } from "./archive.ts";
import { absent, type BackupGround, gigabyte, volumePath } from "./backup-ground.ts";
import { writeWhole } from "./files.ts";
import type { Thing } from "./inventory.ts";
import { findExceeded, projectOf } from "./quotas.ts";
import { archivePath, checkChain } from "./restore.ts";
import { restoreInto } from "./restore-target.ts";
import { nowOf } from "./services.ts";
import { piecesOf } from "./volumes.ts";

/** Backups as archives in a folder, of volumes that are files in a folder. One thing is done at a time. */
export function backupsOf(ground: BackupGround): BackupDriver {
  const queue = createQueue();
  const { inventory } = ground;
  return {
    create: (job, call) => queue(() => create(job, call, ground)),
    restore: (snapshot, target, call) =>
      queue(async () => {
        await ground.opened();
        const backup = await inventory.find("backups", snapshot);
        if (backup === undefined) throw absent("backup", snapshot);
        if (backup.status !== "available")
          throw new GatewayError(
            "conflict",
            `The backup is ${backup.status}: it can be restored when it is available.`,
          );
        const chain = await checkChain(ground.folder, snapshot);
        ground.onPhase("checked", snapshot);
        stopIfEnded(call);
        await restoreInto({ backup, snapshot, target, chain }, ground);
        ground.onPhase("restored", snapshot);
      }),
    remove: (snapshot) => queue(() => remove(snapshot, ground)),
    async list() {
      const all = await inventory.list("backups");
      return all
        .filter(({ status, snapshot }) => status === "available" && snapshot === true)
        .map(({ id }) => String(id));
    },
  };
}

function stopIfEnded({ signal }: DriverCall): void {
  if (signal.aborted) throw abortError(signal);
}

/** The same backup in the same zone has the same id, so that a driver that is asked again knows what it has begun. */
function snapshotOf({ backup_id, zone = "" }: BackupJob): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([backup_id, zone]))
    .digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

async function create(job: BackupJob, call: DriverCall, ground: BackupGround): Promise<BackupMade> {
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
  const plan = { pieces: read(volumePath(folder, job.resource_id), { bytes, call, ground, snapshot }), about, present };
  await archive(snapshot, plan, ground);
  ground.onPhase("written", snapshot);
  const made = await inventory.put("backups", snapshot, { ...backup, status: "available" });
  return madeOf(made, { volume, path: archivePath(folder, snapshot) });
}

/** A backup that fails leaves nothing behind. */
async function archive(snapshot: string, plan: ArchivePlan, { folder, inventory }: BackupGround): Promise<void> {
  try {
    await writeWhole(archivePath(folder, snapshot), (file) => writeArchive(file, plan));
  } catch (thrown) {
    await inventory.remove("backups", snapshot);
    throw thrown;
  }
}

interface Reading {
  readonly bytes: number;
  readonly call: DriverCall;
  readonly ground: BackupGround;
  readonly snapshot: string;
}

async function* read(path: string, { bytes, call, ground, snapshot }: Reading): AsyncGenerator<Uint8Array> {
  for await (const piece of piecesOf(path, bytes)) {
    stopIfEnded(call);
    ground.onPhase("reading", snapshot);
    yield piece;
  }
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

async function remove(snapshot: string, { inventory, folder }: BackupGround): Promise<void> {
  const backup = await inventory.find("backups", snapshot);
  if (backup === undefined) return;
  const isNeeded = (await inventory.list("backups")).some(({ parent }) => parent === snapshot);
  if (isNeeded) throw new GatewayError("conflict", "Incremental backups build on this one: remove them first.");
  await inventory.put("backups", snapshot, { ...backup, status: "deleting" }); // asked again, the rest is done
  await rm(archivePath(folder, snapshot), { force: true });
  await inventory.remove("backups", snapshot);
}
