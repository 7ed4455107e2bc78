import { GatewayError } from "../../../../src/errors.ts";
import type { RestoreTarget } from "../../../../src/portal/backup-driver.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf, textOf, withoutNothing } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { enterProject } from "../project-scope.ts";
import { orphanError } from "../quotas/quotas.ts";
import {
  awaitVolume,
  type BackupCreation,
  findBackup,
  findVolume,
  present,
  projectOf,
  removeVolume,
  until,
} from "./wire.ts";

/** Restores a backup and waits until that is done. What was made for it and failed is removed again. */
export async function restoreBackup(
  cloudContext: CloudContext,
  { snapshot, target, job }: VolumeRestore,
  pace: Pick<BackupCreation, "deadline" | "poll">,
): Promise<void> {
  const { deadline } = pace;
  if (job !== undefined) await awaitEarlier(cloudContext, { snapshot, target }, pace);
  const backup = await restorable(cloudContext, snapshot, deadline);
  const making = {
    ...pace,
    cloud: cloudContext.cloud,
    scope: await enterProject(cloudContext, projectOf(backup), deadline),
  };
  if (target.kind === "source") await restoreInto(backup, target.resource_id, making);
  else if (target.kind === "volume") await restoreVolume(cloudContext, { backup, target, job }, making);
  else await restoreImage(cloudContext, { backup, name: target.name, job }, making);
}

/** Throws what can be known before a restore: a backup or a volume that is gone, or not in a state for it. */
export async function checkRestore(
  cloudContext: CloudContext,
  { snapshot, target }: VolumeRestore,
  deadline: OperationDeadline,
): Promise<void> {
  await restorable(cloudContext, snapshot, deadline);
  if (target.kind === "source") await writable(cloudContext.cloud, target.resource_id, deadline);
}

async function restorable({ cloud }: CloudContext, snapshot: string, deadline: OperationDeadline): Promise<Wire> {
  const backup = present(await findBackup(cloud, snapshot, deadline), "backup", snapshot);
  if (backup.status === "available") return backup;
  const message = `The backup is ${idOf(backup.status)}: it can be restored when it is available.`;
  throw new GatewayError("conflict", message);
}

/** Throws `conflict` for a volume that is attached or busy. */
async function writable(cloud: Cloud, id: string, deadline: OperationDeadline): Promise<void> {
  const volume = present(await findVolume(cloud, id, deadline), "volume", id);
  if (volume.status === "available") return;
  const message = `The volume is ${idOf(volume.status)}: detach it first, so that it is available.`;
  throw new GatewayError("conflict", message);
}

/** Cinder goes on with a restore whose process has died: waits for its end, so that the job can begin anew on a settled volume. */
async function awaitEarlier(
  { cloud }: CloudContext,
  { snapshot, target }: VolumeRestore,
  { deadline, poll }: Pick<BackupCreation, "deadline" | "poll">,
): Promise<void> {
  await until(
    async () => {
      if ((await findBackup(cloud, snapshot, deadline))?.status === "restoring") return undefined;
      if (target.kind !== "source") return true;
      const volume = await findVolume(cloud, target.resource_id, deadline);
      return volume?.status === "restoring-backup" ? undefined : true;
    },
    deadline,
    poll,
  );
}

interface VolumeRestore {
  /** Cinder's id of the backup. */
  readonly snapshot: string;
  readonly target: RestoreTarget;
  /** The portal's id of the restore, by which what an earlier process began is found. */
  readonly job?: string | undefined;
}

/** Writes the backup over a volume, which must not be attached. */
async function restoreInto(backup: Wire, volumeId: string, making: BackupCreation): Promise<void> {
  const { cloud, deadline, poll, scope } = making;
  await writable(cloud, volumeId, deadline);
  const body = { restore: { volume_id: volumeId } };
  await cloud.ask(
    { service: "volume", method: "POST", path: ["backups", idOf(backup.id), "restore"], body, scope },
    deadline,
  );
  await until(
    async () => {
      const now = present(await findBackup(cloud, idOf(backup.id), deadline), "backup", idOf(backup.id));
      if (now.status === "restoring") return undefined;
      if (now.status === "available") return true;
      throw new GatewayError("backend_error", `Cinder could not restore: the backup is ${idOf(now.status)}.`);
    },
    deadline,
    poll,
  );
  await awaitVolume(volumeId, making);
}

interface NewVolume {
  readonly backup: Wire;
  readonly job?: string | undefined;
  readonly target: { readonly name: string; readonly availability_zone?: string; readonly volume_type?: string };
}

/**
 * Makes a volume from a backup. `backup_id` is promised from microversion 3.47 on; a Cinder that does not know it makes an empty volume
 * without a word. So the options allow none below, and the volume itself is looked at: it was `restoring-backup`, or names its backup.
 */
async function restoreVolume(
  cloudContext: CloudContext,
  { backup, target, job }: NewVolume,
  making: BackupCreation,
): Promise<string> {
  const { poll } = making;
  const mark = job ?? `${idOf(backup.id)}-${making.deadline.now()}`;
  const begun = job === undefined ? undefined : await findMarked({ name: target.name, mark }, making);
  const id = begun ?? (await postVolume(cloudContext, { backup, target, mark }, making));
  try {
    const seen = new Set<string>();
    const created = await awaitVolume(id, { ...making, seen });
    if (!seen.has("restoring-backup") && objectOf(created.metadata)?.src_backup_id !== backup.id) {
      throw new GatewayError("backend_error", "Cinder made an empty volume in place of restoring the backup.");
    }
    return id;
  } catch (thrown) {
    await takeBackVolume(cloudContext, { id, poll }, thrown);
    throw thrown;
  }
}

/** The field of a volume's metadata that tells which restoring made it; finds it again when the answer to its making was lost. */
const markField = "tollgate_restore";

/** Returns the volume that a restore has made, if there is one. */
async function findMarked(
  { name, mark }: { readonly name: string; readonly mark: string },
  { cloud, deadline, scope }: Omit<BackupCreation, "poll">,
): Promise<string | undefined> {
  const request = { service: "volume", path: ["volumes", "detail"], key: "volumes", query: { name }, scope } as const;
  const found = (await cloud.list(request, deadline)).find((one) => objectOf(one.metadata)?.[markField] === mark);
  return found === undefined ? undefined : idOf(found.id);
}

async function postVolume(
  cloudContext: CloudContext,
  { backup, target, mark }: Omit<NewVolume, "job"> & { readonly mark: string },
  { cloud, deadline, scope, poll }: BackupCreation,
): Promise<string> {
  const { name, availability_zone, volume_type } = target;
  const metadata = { [markField]: mark };
  const volume = withoutNothing({
    ...{ size: backup.size, name, backup_id: backup.id, metadata },
    ...{ availability_zone, volume_type },
  });
  const request = { service: "volume", method: "POST", path: ["volumes"], body: { volume }, scope } as const;
  try {
    return idOf(objectOf((await cloud.ask(request, deadline)).volume)?.id);
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    try {
      await cloudContext.undo(async (later) => {
        const created = await findMarked({ name, mark }, { cloud, deadline: later, scope });
        if (created !== undefined) await removeVolume(created, { cloud, deadline: later, poll });
      });
    } catch {
      throw orphanError(thrown, `A volume \`${name}\` may have been made for it and could not be deleted.`);
    }
    throw thrown;
  }
}

/** Makes an image of a volume made from the backup; that volume goes again, whatever becomes of the image. */
async function restoreImage(
  cloudContext: CloudContext,
  { backup, name, job }: { readonly backup: Wire; readonly name: string; readonly job?: string | undefined },
  making: BackupCreation,
): Promise<void> {
  const { deadline, poll } = making;
  const target = { name: `tollgate-image-${idOf(backup.id)}` };
  const id = await restoreVolume(cloudContext, { backup, target, job }, making);
  try {
    await uploadImage({ volumeId: id, name }, making);
  } catch (thrown) {
    await takeBackVolume(cloudContext, { id, poll }, thrown);
    throw thrown;
  }
  await removeVolume(id, { cloud: cloudContext.cloud, deadline, poll });
}

/** The volume is `available` again even when the upload failed: the image is what is looked at. */
async function uploadImage(
  { volumeId, name }: { volumeId: string; name: string },
  { cloud, deadline, poll, scope }: BackupCreation,
): Promise<void> {
  const body = { "os-volume_upload_image": { image_name: name, disk_format: "raw", container_format: "bare" } };
  const request = { service: "volume", method: "POST", path: ["volumes", volumeId, "action"], body, scope } as const;
  const started = objectOf((await cloud.ask(request, deadline))["os-volume_upload_image"]);
  const imageId = idOf(started?.image_id);
  await until(
    async () => {
      const image = await cloud.find({ service: "image", path: ["images", imageId] }, deadline);
      const status = textOf(image?.status) ?? "gone";
      if (status === "active") return true;
      if (["queued", "saving", "importing"].includes(status)) return undefined;
      throw new GatewayError("backend_error", `Glance: the image is ${status}, its upload failed.`);
    },
    deadline,
    poll,
  );
  await awaitVolume(volumeId, { cloud, deadline, poll });
}

async function takeBackVolume(
  cloudContext: CloudContext,
  { id, poll }: { id: string; poll: number },
  thrown: unknown,
): Promise<void> {
  try {
    await cloudContext.undo((deadline) => removeVolume(id, { cloud: cloudContext.cloud, deadline, poll }));
  } catch {
    throw orphanError(thrown, `The volume ${id} was made for it and could not be deleted.`);
  }
}
