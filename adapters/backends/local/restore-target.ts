import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../src/errors.ts";
import type { RestoreTarget } from "../../../src/portal/backup-driver.ts";
import { absent, type BackupGround, idOf, volumePath } from "./backup-ground.ts";
import { nowOf } from "./endpoint.ts";
import type { Thing } from "./inventory.ts";
import { findExceeded, projectOf } from "./quotas.ts";
import { type Chain, restoreTo } from "./restore.ts";

/** A restore whose archives are in order. */
export interface Restoring {
  readonly backup: Thing;
  readonly snapshot: string;
  readonly target: RestoreTarget;
  readonly chain: Chain;
}

/** Restores to the volume itself, to a new one, or as an image. What is new is listed as `restoring-backup` until it is whole. */
export async function restoreInto(restoring: Restoring, ground: BackupGround): Promise<void> {
  const { target } = restoring;
  if (target.kind === "source") await restoreSource(target.resource_id, restoring, ground);
  else if (target.kind === "volume") await restoreVolume(target, restoring, ground);
  else await restoreImage(target.name, restoring, ground);
}

/** A volume in use is not written over; a smaller one neither. */
async function restoreSource(id: string, { chain, snapshot }: Restoring, ground: BackupGround): Promise<void> {
  const volume = await ground.inventory.find("volumes", id);
  if (volume === undefined) throw absent("volume", id);
  if (volume.status !== "available") {
    throw new GatewayError("conflict", `The volume is ${volume.status}: detach it first, so that it is available.`);
  }
  ground.onPhase("restoring", snapshot);
  await restoreTo(volumePath(ground.folder, id), chain, () => ground.onPhase("writing", snapshot));
}

type VolumeTarget = Extract<RestoreTarget, { kind: "volume" }>;

async function restoreVolume(target: VolumeTarget, restoring: Restoring, ground: BackupGround): Promise<void> {
  const { inventory, folder } = ground;
  const { name, availability_zone, volume_type } = target;
  await checkKnown("availabilityZoneInfo", { field: "availability_zone", name: availability_zone }, ground);
  await checkKnown("volume_types", { field: "volume_type", name: volume_type }, ground);
  const project = projectOf(restoring.backup);
  const room = { project: String(project), gigabytes: Number(restoring.backup.size) };
  const id = await freeId("volumes", `${restoring.snapshot} ${name}`, ground);
  const exceeded = (await inventory.find("volumes", id)) ? undefined : await findExceeded("volumes", room, ground);
  if (exceeded !== undefined) throw new GatewayError("quota_exceeded", `The project's quota is used up: ${exceeded}.`);
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
    created_at: nowOf(ground),
    "os-vol-tenant-attr:tenant_id": project,
  };
  await fill("volumes", { thing: volume, path: volumePath(folder, id), done: "available" }, { restoring, ground });
}

async function restoreImage(name: string, restoring: Restoring, ground: BackupGround): Promise<void> {
  const id = await freeId("images", `${restoring.snapshot} ${name}`, ground);
  const image = {
    id,
    name,
    disk_format: "raw",
    container_format: "bare",
    visibility: "private",
    size: restoring.chain.newest.bytes,
    owner: projectOf(restoring.backup),
    created_at: nowOf(ground),
  };
  const path = join(ground.folder, "images", `${id}.raw`);
  await fill("images", { thing: image, path, done: "active" }, { restoring, ground });
}

/** The status of what is not whole yet. */
const unfinished = "restoring-backup";

interface Filling {
  readonly thing: Thing & { readonly id: string };
  readonly path: string;
  readonly done: string;
}

async function fill(
  kind: string,
  { thing, path, done }: Filling,
  { restoring, ground }: { restoring: Restoring; ground: BackupGround },
) {
  const { inventory } = ground;
  await inventory.put(kind, thing.id, { ...thing, status: unfinished });
  ground.onPhase("restoring", restoring.snapshot);
  try {
    await restoreTo(path, restoring.chain, () => ground.onPhase("writing", restoring.snapshot));
  } catch (thrown) {
    await inventory.remove(kind, thing.id);
    await rm(path, { force: true });
    throw thrown;
  }
  await inventory.put(kind, thing.id, { ...thing, status: done });
}

/** The id of what is restored comes from what it is restored from: after a crash the same restore goes on with what it began. */
async function freeId(kind: string, seed: string, { inventory }: BackupGround): Promise<string> {
  for (let count = 0; ; count++) {
    const id = idOf(kind, seed, String(count));
    const present = await inventory.find(kind, id);
    if (present === undefined || present.status === unfinished) return id;
  }
}

interface Named {
  readonly field: string;
  readonly name: string;
}

async function checkKnown(kind: string, { field, name }: Named, { inventory }: BackupGround): Promise<void> {
  const known = (await inventory.list(kind)).map((thing) => String(thing.zoneName ?? thing.name));
  if (known.includes(name)) return;
  throw new GatewayError(
    "invalid_request",
    `\`${field}\`: the cloud has no \`${name}\`; there are ${known.join(", ")}.`,
    {
      param: field,
    },
  );
}
