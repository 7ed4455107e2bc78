import { GatewayError } from "../../../../src/engine/errors.ts";
import type { RestoreTarget } from "../../../../src/portal/backup-driver.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { enterProject } from "../project-scope.ts";
import { orphanError } from "../quotas/quotas.ts";
import { discardRestored, restoreImage } from "./restored-image.ts";
import { restoreVolume } from "./restored-volume.ts";
import { awaitVolume, type BackupCreation, findBackup, findVolume, present, projectOf, until } from "./wire.ts";

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
  if (target.kind === "source") return await restoreInto(backup, target.resource_id, making);
  const mark = job ?? `${snapshot}-${deadline.now()}`;
  try {
    if (target.kind === "volume") await restoreVolume({ backup, target, mark }, making);
    else await restoreImage({ backup, name: target.name, mark }, making);
  } catch (thrown) {
    await takeBack(cloudContext, { snapshot, target, mark, poll: pace.poll }, thrown);
    throw thrown;
  }
}

type Unfinished = Parameters<typeof discardRestored>[1] & Pick<BackupCreation, "poll">;

async function takeBack(cloudContext: CloudContext, { poll, ...left }: Unfinished, thrown: unknown): Promise<void> {
  try {
    await cloudContext.undo((deadline) => discardRestored(cloudContext, left, { deadline, poll }));
  } catch {
    throw orphanError(thrown, "What was made for it could not all be deleted.");
  }
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
  const path = ["backups", idOf(backup.id), "restore"];
  try {
    await cloud.ask({ service: "volume", method: "POST", path, body, scope }, deadline);
  } catch (thrown) {
    const isBegun =
      isUnanswered(thrown) && (await findBackup(cloud, idOf(backup.id), deadline))?.status === "restoring";
    if (!isBegun) throw thrown; // otherwise only the answer was lost
  }
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
