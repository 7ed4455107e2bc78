import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { RestoreTarget } from "../../../../src/portal/backup-driver.ts";
import { nowOf } from "../endpoint.ts";
import { writeWhole } from "../files.ts";
import type { Resource } from "../inventory.ts";
import { findExceeded, projectOf } from "../openstack/quotas.ts";
import { volumePath } from "../volume-files.ts";
import { type Chain, damaged, pieceBytes, readFrames, sumOf } from "./archive.ts";
import { absent, type BackupContext, idOf } from "./context.ts";

/** A restore whose archives are in order. */
export interface LocalRestore {
  readonly backup: Resource;
  readonly snapshot: string;
  readonly target: RestoreTarget;
  readonly chain: Chain;
  /** The portal's id of the restore. */
  readonly job?: string | undefined;
}

/** Restores to the volume itself, to a new one, or as an image. What is new is listed as `restoring-backup` until it is whole. */
export async function restoreInto(restoring: LocalRestore, context: BackupContext): Promise<void> {
  const { target } = restoring;
  if (target.kind === "source") await restoreSource(target.resource_id, restoring, context);
  else if (target.kind === "volume") await restoreVolume(target, restoring, context);
  else await restoreImage(target.name, restoring, context);
}

/** Throws what can be known before a restore: a volume in use, a zone or type that the cloud does not have, a quota. Changes nothing. */
export async function checkTarget(
  backup: Resource,
  { snapshot, target }: Pick<LocalRestore, "snapshot" | "target">,
  context: BackupContext,
): Promise<void> {
  if (target.kind === "source") await writable(target.resource_id, context);
  if (target.kind === "volume") await roomFor(target, { backup, snapshot }, context);
}

/** Returns a volume that may be written over: one in use may not. An earlier restore that died left it as it was before. */
async function writable(id: string, { inventory }: BackupContext): Promise<Resource> {
  const volume = await inventory.find("volumes", id);
  if (volume === undefined) throw absent("volume", id);
  if (volume.status === "available" || volume.status === unfinished) return volume;
  throw new GatewayError("conflict", `The volume is ${volume.status}: detach it first, so that it is available.`);
}

async function restoreSource(id: string, { chain, snapshot }: LocalRestore, context: BackupContext): Promise<void> {
  const { inventory, folder } = context;
  const volume = await writable(id, context);
  await inventory.put("volumes", id, { ...volume, status: unfinished });
  context.onPhase("restoring", snapshot);
  try {
    await restoreTo(volumePath(folder, id), chain, () => context.onPhase("writing", snapshot));
  } finally {
    await inventory.put("volumes", id, { ...volume, status: "available" }); // whole, or as it was
  }
}

type VolumeTarget = Extract<RestoreTarget, { kind: "volume" }>;

/** Returns the id that the new volume will have. */
async function roomFor(
  { name, availability_zone, volume_type }: VolumeTarget,
  { backup, snapshot, job }: Pick<LocalRestore, "backup" | "snapshot" | "job">,
  context: BackupContext,
): Promise<string> {
  await checkKnown("availabilityZoneInfo", { field: "availability_zone", name: availability_zone }, context);
  await checkKnown("volume_types", { field: "volume_type", name: volume_type }, context);
  const room = { project: String(projectOf(backup)), gigabytes: Number(backup.size) };
  const id = await newId("volumes", { job, seed: `${snapshot} ${name}` }, context);
  const isBegun = (await context.inventory.find("volumes", id)) !== undefined;
  const exceeded = isBegun ? undefined : await findExceeded("volumes", room, context);
  if (exceeded === undefined) return id;
  throw new GatewayError("quota_exceeded", `The project's quota is used up: ${exceeded}.`);
}

async function restoreVolume(target: VolumeTarget, restoring: LocalRestore, context: BackupContext): Promise<void> {
  const { folder } = context;
  const { name, availability_zone, volume_type } = target;
  const id = await roomFor(target, restoring, context);
  const project = projectOf(restoring.backup);
  const volume = {
    id,
    name,
    size: restoring.backup.size,
    volume_type,
    availability_zone,
    bootable: "false",
    encrypted: false,
    attachments: [],
    metadata: { src_backup_id: restoring.snapshot },
    created_at: nowOf(context),
    "os-vol-tenant-attr:tenant_id": project,
  };
  await fill("volumes", { item: volume, path: volumePath(folder, id), done: "available" }, { restoring, context });
}

async function restoreImage(name: string, restoring: LocalRestore, context: BackupContext): Promise<void> {
  const id = await newId("images", { job: restoring.job, seed: `${restoring.snapshot} ${name}` }, context);
  const image = {
    id,
    name,
    disk_format: "raw",
    container_format: "bare",
    visibility: "private",
    size: restoring.chain.newest.bytes,
    owner: projectOf(restoring.backup),
    created_at: nowOf(context),
  };
  await fill("images", { item: image, path: imagePath(context.folder, id), done: "active" }, { restoring, context });
}

/** The status of what is not whole yet. */
const unfinished = "restoring-backup";

interface Filling {
  readonly item: Resource & { readonly id: string };
  readonly path: string;
  readonly done: string;
}

async function fill(
  kind: string,
  { item, path, done }: Filling,
  { restoring, context }: { restoring: LocalRestore; context: BackupContext },
) {
  const { inventory } = context;
  if ((await inventory.find(kind, item.id))?.status === done) return; // the process that made it died behind that
  await inventory.put(kind, item.id, { ...item, status: unfinished });
  context.onPhase("restoring", restoring.snapshot);
  try {
    await restoreTo(path, restoring.chain, () => context.onPhase("writing", restoring.snapshot));
  } catch (thrown) {
    await inventory.remove(kind, item.id);
    await rm(path, { force: true });
    throw thrown;
  }
  await inventory.put(kind, item.id, { ...item, status: done });
}

interface NewThing {
  readonly job: string | undefined;
  readonly seed: string;
}

/**
 * The id of what is restored comes from its job, or from what it is restored from: after a crash the same restore goes on with what it
 * began, and one whose job is known makes nothing twice.
 */
async function newId(kind: string, { job, seed }: NewThing, { inventory }: BackupContext): Promise<string> {
  if (job !== undefined) return idOf(kind, job);
  for (let count = 0; ; count++) {
    const id = idOf(kind, seed, String(count));
    const present = await inventory.find(kind, id);
    if (present === undefined || present.status === unfinished) return id;
  }
}

/** Removes what a restore that was given up has left: a new volume or image, unless it is attached, or the mark on the volume itself. */
export async function discardRestored(
  { target, job }: { readonly target: RestoreTarget; readonly job: string },
  { inventory, folder }: BackupContext,
): Promise<void> {
  const kind = target.kind === "image" ? "images" : "volumes";
  const id = target.kind === "source" ? target.resource_id : idOf(kind, job);
  const left = await inventory.find(kind, id);
  if (left === undefined) return;
  if (target.kind === "source") {
    if (left.status === unfinished) await inventory.put(kind, id, { ...left, status: "available" });
    return;
  }
  if (Array.isArray(left.attachments) && left.attachments.length > 0) return;
  await inventory.remove(kind, id);
  await rm(kind === "volumes" ? volumePath(folder, id) : imagePath(folder, id), { force: true });
}

const imagePath = (folder: string, id: string) => join(folder, "images", `${id}.raw`);

interface NamedField {
  readonly field: string;
  readonly name: string;
}

async function checkKnown(kind: string, { field, name }: NamedField, { inventory }: BackupContext): Promise<void> {
  const known = (await inventory.list(kind)).map((item) => String(item.zoneName ?? item.name));
  if (known.includes(name)) return;
  throw new GatewayError(
    "invalid_request",
    `\`${field}\`: the cloud has no \`${name}\`; there are ${known.join(", ")}.`,
    {
      param: field,
    },
  );
}

/**
 * Writes the volume that an archive was made of to a file, byte for byte: each piece is taken from the newest archive that has it as it
 * was, and compared with its sum. The file is there whole or not at all.
 */
async function restoreTo(path: string, { paths, newest }: Chain, onPiece: () => void): Promise<void> {
  await writeWhole(path, async (file) => {
    const missing = new Set(newest.sums.flatMap((sum, at) => (sum === "" ? [] : [at])));
    for (const archive of paths) {
      for await (const [at, piece] of readFrames(archive)) {
        if (!missing.has(at) || sumOf(piece) !== newest.sums[at]) continue;
        onPiece();
        await file.write(piece, 0, piece.length, at * pieceBytes);
        missing.delete(at);
      }
    }
    if (missing.size > 0) throw damaged(paths[0] ?? "", `${missing.size} pieces are in none of its archives`);
    await file.truncate(newest.bytes); // what was not written are zeros, which take no room
  });
}
