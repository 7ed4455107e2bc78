import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf, withoutNothing } from "../client/from-wire.ts";
import type { Scope } from "../client/options.ts";
import { awaitVolume, type BackupCreation } from "./wire.ts";

/** A volume to make from a backup. */
export interface NewVolume {
  readonly backup: Wire;
  /** Which restore it is made for. */
  readonly mark: string;
  readonly target: { readonly name: string; readonly availability_zone?: string; readonly volume_type?: string };
}

/**
 * Makes a volume from a backup and returns its id, or goes on with the one that an earlier process has begun. `backup_id` is promised from
 * microversion 3.47 on; a Cinder that does not know it makes an empty volume without a word. So the options allow none below, and the
 * volume itself is looked at: it was `restoring-backup`, or names its backup.
 */
export async function restoreVolume({ backup, target, mark }: NewVolume, making: BackupCreation): Promise<string> {
  const [begun] = await findMarkedVolumes({ name: target.name, mark }, making, making.deadline);
  if (begun !== undefined && isWhole(begun, backup)) return idOf(begun.id);
  const id = begun === undefined ? await postVolume({ backup, target, mark }, making) : idOf(begun.id);
  const seen = new Set<string>();
  const created = await awaitVolume(id, { ...making, seen });
  if (seen.has("restoring-backup") || objectOf(created.metadata)?.src_backup_id === backup.id) return id;
  throw new GatewayError("backend_error", "Cinder made an empty volume in place of restoring the backup.");
}

/** True for a volume whose restore has ended well: its tenant may have attached it meanwhile. */
function isWhole(volume: Wire, backup: Wire): boolean {
  const isSettled = volume.status === "available" || volume.status === "in-use";
  return isSettled && objectOf(volume.metadata)?.src_backup_id === backup.id;
}

/** The field of a volume's metadata, and of an image, that tells which restore made it: it is found again after a lost answer. */
export const markField = "tollgate_restore";

/** Returns the volumes that a restore has made: one, or two where the answer to a creation came late. */
export async function findMarkedVolumes(
  { name, mark }: { readonly name: string; readonly mark: string },
  { cloud, scope }: { readonly cloud: Cloud; readonly scope: Scope | undefined },
  deadline: BackupCreation["deadline"],
): Promise<Wire[]> {
  const query = { name, all_tenants: "1" };
  const request = { service: "volume", path: ["volumes", "detail"], key: "volumes", query, scope } as const;
  return (await cloud.list(request, deadline)).filter((one) => objectOf(one.metadata)?.[markField] === mark);
}

/** Asks for a volume. One whose creation was not answered is looked for. */
async function postVolume({ backup, target, mark }: NewVolume, making: BackupCreation): Promise<string> {
  const { cloud, deadline, scope } = making;
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
    const [created] = isUnanswered(thrown) ? await findMarkedVolumes({ name, mark }, making, deadline) : [];
    if (created === undefined) throw thrown;
    return idOf(created.id);
  }
}
