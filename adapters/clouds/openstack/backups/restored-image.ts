import { GatewayError } from "../../../../src/engine/errors.ts";
import type { RestoreTarget } from "../../../../src/portal/backup-driver.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, textOf } from "../client/from-wire.ts";
import type { Scope } from "../client/options.ts";
import type { CloudContext } from "../cloud-context.ts";
import { enterProject } from "../project-scope.ts";
import { findMarkedVolumes, markField, restoreVolume } from "./restored-volume.ts";
import { type BackupCreation, findBackup, projectOf, removeVolume, until } from "./wire.ts";

interface NewImage {
  readonly backup: Wire;
  readonly name: string;
  /** Which restore it is made for. */
  readonly mark: string;
}

/** The name of the volume from which an image is made. */
const volumeNameOf = (snapshot: string) => `tollgate-image-${snapshot}`;

/** The statuses of an image on its way. */
const onItsWay: readonly (string | undefined)[] = ["queued", "saving", "uploading", "importing"];

/**
 * Makes an image of a volume made from the backup, which goes again. The image carries the mark of its restore: one that an earlier process
 * has begun is waited for and no second one made.
 */
export async function restoreImage({ backup, name, mark }: NewImage, making: BackupCreation): Promise<void> {
  const target = { name: volumeNameOf(idOf(backup.id)) };
  const begun = (await findMarkedImages(mark, making, making.deadline)).find(isOfUse);
  const imageId =
    begun === undefined
      ? await uploadImage({ volumeId: await restoreVolume({ backup, target, mark }, making), name, mark }, making)
      : idOf(begun.id);
  await awaitImage(imageId, making);
  for (const { id } of await findMarkedVolumes({ name: target.name, mark }, making, making.deadline))
    await removeVolume(idOf(id), making);
}

const isOfUse = ({ status }: Wire) => status === "active" || onItsWay.includes(textOf(status));

async function findMarkedImages(
  mark: string,
  { cloud, scope }: { readonly cloud: Cloud; readonly scope: Scope | undefined },
  deadline: OperationDeadline,
): Promise<Wire[]> {
  const query = { [markField]: mark };
  const images = await cloud.list({ service: "image", path: ["images"], key: "images", query, scope }, deadline);
  return images.filter((image) => image[markField] === mark);
}

interface Upload {
  readonly volumeId: string;
  readonly name: string;
  readonly mark: string;
}

/** Begins an upload and returns the image's id. Cinder passes the image metadata of a volume on to the image. */
async function uploadImage({ volumeId, name, mark }: Upload, making: BackupCreation): Promise<string> {
  const { cloud, deadline, scope } = making;
  const act = (body: unknown) =>
    cloud.ask({ service: "volume", method: "POST", path: ["volumes", volumeId, "action"], body, scope }, deadline);
  await act({ "os-set_image_metadata": { metadata: { [markField]: mark } } });
  const upload = { image_name: name, disk_format: "raw", container_format: "bare" };
  try {
    const answer = (await act({ "os-volume_upload_image": upload }))["os-volume_upload_image"] as Wire | undefined;
    return idOf(answer?.image_id);
  } catch (thrown) {
    const [begun] = isUnanswered(thrown) ? await findMarkedImages(mark, making, deadline) : [];
    if (begun === undefined) throw thrown;
    return idOf(begun.id);
  }
}

/** The volume is `available` again even when the upload failed: the image is what is looked at. */
function awaitImage(id: string, { cloud, deadline, poll }: BackupCreation): Promise<true> {
  return until(
    async () => {
      const image = await cloud.find({ service: "image", path: ["images", id] }, deadline);
      const status = textOf(image?.status) ?? "gone";
      if (status === "active") return true;
      if (onItsWay.includes(status)) return undefined;
      throw new GatewayError("backend_error", `Glance: the image is ${status}, its upload failed.`);
    },
    deadline,
    poll,
  );
}

/** What a restore that failed may have left. */
interface Discarded {
  readonly snapshot: string;
  readonly target: RestoreTarget;
  readonly mark: string;
}

/**
 * Deletes what a failed restore has made and waits until it is gone. A volume that is attached stays: its tenant uses it. May be repeated.
 */
export async function discardRestored(
  cloudContext: CloudContext,
  { snapshot, target, mark }: Discarded,
  { deadline, poll }: Pick<BackupCreation, "deadline" | "poll">,
): Promise<void> {
  if (target.kind === "source") return;
  const { cloud } = cloudContext;
  const scope = await scopeOf(cloudContext, snapshot, deadline);
  const name = target.kind === "volume" ? target.name : volumeNameOf(snapshot);
  for (const { id, status } of await findMarkedVolumes({ name, mark }, { cloud, scope }, deadline))
    if (status !== "in-use") await removeVolume(idOf(id), { cloud, deadline, poll });
  if (target.kind === "volume") return;
  for (const { id } of await findMarkedImages(mark, { cloud, scope }, deadline))
    await cloud.find({ service: "image", method: "DELETE", path: ["images", idOf(id)], scope }, deadline);
}

/** An administrator's own token sees everything, of disabled projects too; any other one needs the project of the backup. */
async function scopeOf(
  cloudContext: CloudContext,
  snapshot: string,
  deadline: OperationDeadline,
): Promise<Scope | undefined> {
  const { cloud } = cloudContext;
  if ((await cloud.session(deadline)).isAdmin) return undefined;
  const backup = await findBackup(cloud, snapshot, deadline);
  return backup && (await enterProject(cloudContext, projectOf(backup), deadline));
}
