import { GatewayError } from "../../../../src/errors.ts";
import type { RestoreTarget } from "../../../../src/portal/backup-driver.ts";
import type { Wire } from "../client/cloud.ts";
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
  { snapshot, target }: VolumeRestore,
  pace: Pick<BackupCreation, "deadline" | "poll">,
): Promise<void> {
  const { deadline } = pace;
  const backup = present(await findBackup(cloudContext.cloud, snapshot, deadline), "backup", snapshot);
  if (backup.status !== "available") {
    throw new GatewayError(
      "conflict",
      `The backup is ${idOf(backup.status)}: it can be restored when it is available.`,
    );
  }
  const making = {
    ...pace,
    cloud: cloudContext.cloud,
    scope: await enterProject(cloudContext, projectOf(backup), deadline),
  };
  if (target.kind === "source") await restoreInto(backup, target.resource_id, making);
  else if (target.kind === "volume") await restoreVolume(cloudContext, { backup, target }, making);
  else await restoreImage(cloudContext, { backup, name: target.name }, making);
}

interface VolumeRestore {
  /** Cinder's id of the backup. */
  readonly snapshot: string;
  readonly target: RestoreTarget;
}

/** Writes the backup over a volume, which must not be attached. */
async function restoreInto(backup: Wire, volumeId: string, making: BackupCreation): Promise<void> {
  const { cloud, deadline, poll, scope } = making;
  const volume = present(await findVolume(cloud, volumeId, deadline), "volume", volumeId);
  if (volume.status !== "available") {
    throw new GatewayError(
      "conflict",
      `The volume is ${idOf(volume.status)}: detach it first, so that it is available.`,
    );
  }
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
  readonly target: { readonly name: string; readonly availability_zone?: string; readonly volume_type?: string };
}

/**
 * Makes a volume from a backup. `backup_id` is promised from microversion 3.47 on; a Cinder that does not know it makes an empty volume
 * without a word. So the options allow none below, and the volume itself is looked at: it was `restoring-backup`, or names its backup.
 */
async function restoreVolume(
  cloudContext: CloudContext,
  { backup, target }: NewVolume,
  making: BackupCreation,
): Promise<string> {
  const { poll } = making;
  const id = await postVolume(cloudContext, { backup, target }, making);
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

async function postVolume(
  cloudContext: CloudContext,
  { backup, target }: NewVolume,
  { cloud, deadline, scope, poll }: BackupCreation,
): Promise<string> {
  const { name, availability_zone, volume_type } = target;
  const mark = `${idOf(backup.id)}-${deadline.now()}`;
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
        const listing = {
          service: "volume",
          path: ["volumes", "detail"],
          key: "volumes",
          query: { name },
          scope,
        } as const;
        const created = (await cloud.list(listing, later)).find((one) => objectOf(one.metadata)?.[markField] === mark);
        if (created !== undefined) await removeVolume(idOf(created.id), { cloud, deadline: later, poll });
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
  { backup, name }: { backup: Wire; name: string },
  making: BackupCreation,
): Promise<void> {
  const { deadline, poll } = making;
  const id = await restoreVolume(
    cloudContext,
    { backup, target: { name: `tollgate-image-${idOf(backup.id)}` } },
    making,
  );
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
