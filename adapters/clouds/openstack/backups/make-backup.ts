import { GatewayError } from "../../../../src/engine/errors.ts";
import type { BackupJob, BackupMade } from "../../../../src/portal/backup-driver.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf, textOf, withoutNothing } from "../client/from-wire.ts";
import type { Scope } from "../client/options.ts";
import type { CloudContext } from "../cloud-context.ts";
import { enterProject } from "../project-scope.ts";
import { orphanError } from "../quotas/quotas.ts";
import { findBackup, findVolume, gigabyte, markField, present, projectOf, until } from "./wire.ts";

/** How long something may take and how often it is looked at. */
interface Pace {
  readonly deadline: OperationDeadline;
  readonly poll: number;
}

/**
 * Makes a backup of a volume and waits for it. The portal's id stands in the backup's metadata: asked for again, after a worker has died,
 * the one that was begun is waited for and no second one made. When the work is stopped or fails, the backup is removed.
 */
export async function makeBackup(
  cloudContext: CloudContext,
  job: BackupJob,
  { deadline, poll }: Pace,
): Promise<BackupMade> {
  if (job.resource_type !== "volume") {
    throw new GatewayError("invalid_request", `Cinder backs up volumes, not \`${job.resource_type}\`.`, {
      param: "resource_type",
    });
  }
  const volume = present(await findVolume(cloudContext.cloud, job.resource_id, deadline), "volume", job.resource_id);
  const projectId = projectOf(volume);
  if (job.project_id !== undefined && job.project_id !== projectId) present(undefined, "volume", job.resource_id);
  const scope = await enterProject(cloudContext, projectId, deadline);
  const begun = await findBegun(cloudContext, { job, scope }, deadline);
  const id = begun ?? (await beginOnce(cloudContext, { job, scope }, deadline));
  try {
    const backup = await awaitBackup(cloudContext, id, { deadline, poll });
    return createdBackup(backup, volume);
  } catch (thrown) {
    await takeBack(cloudContext, id, thrown);
    throw thrown;
  }
}

interface BackupScope {
  readonly job: BackupJob;
  readonly scope: Scope | undefined;
}

/** The backup that an earlier call for the same job has begun, unless it failed. */
async function findBegun(
  { cloud }: CloudContext,
  { job, scope }: BackupScope,
  deadline: OperationDeadline,
): Promise<string | undefined> {
  const query = { name: nameOf(job) };
  const request = { service: "volume", path: ["backups", "detail"], key: "backups", query, scope } as const;
  const found = (await cloud.list(request, deadline)).filter((backup) => markOf(backup) === job.backup_id);
  return textOf(found.find(({ status }) => status === "available" || status === "creating")?.id);
}

/** The portal's id of a backup of ours. */
export function markOf(backup: Wire): string | undefined {
  return textOf(objectOf(backup.metadata)?.[markField]);
}

function nameOf({ backup_id }: BackupJob): string {
  return `tollgate-${backup_id}`.slice(0, 255);
}

/** A backup whose beginning was not answered is looked for and removed: it would be nobody's. */
async function beginOnce(
  cloudContext: CloudContext,
  context: BackupScope,
  deadline: OperationDeadline,
): Promise<string> {
  try {
    return await begin(cloudContext, context, deadline);
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    try {
      await cloudContext.undo(async (later) => {
        const lost = await findBegun(cloudContext, context, later);
        if (lost !== undefined) await forceRemove(cloudContext, lost, later);
      });
    } catch {
      throw orphanError(thrown, `A backup \`${nameOf(context.job)}\` may have been begun and could not be removed.`);
    }
    throw thrown;
  }
}

/**
 * Whether an incremental backup would build on the parent of the job. Cinder takes no parent: it builds on the newest backup of the volume,
 * in whatever container that is, so that a copy in another zone, or one made by somebody else, would become a part of the chain.
 */
async function buildsOnParent(
  { cloud }: CloudContext,
  { job: { resource_id: volume_id, is_full, parent }, scope }: BackupScope,
  deadline: OperationDeadline,
): Promise<boolean> {
  if (is_full || parent === undefined) return false;
  const query = { volume_id, status: "available" };
  const request = { service: "volume", path: ["backups", "detail"], key: "backups", query, scope } as const;
  const own = (await cloud.list(request, deadline)).filter(
    (backup) => backup.volume_id === volume_id && backup.status === "available",
  );
  const dataOf = (backup: Wire) => textOf(backup.data_timestamp) ?? textOf(backup.created_at) ?? "";
  const newest = own.reduce((last, one) => (dataOf(one) > dataOf(last) ? one : last), own[0] ?? {});
  return newest.id === parent;
}

/** A backup that cannot build on its parent is a full one; a volume in use is backed up as it is. */
async function begin(cloudContext: CloudContext, scoped: BackupScope, deadline: OperationDeadline): Promise<string> {
  const { cloud, options } = cloudContext;
  const { job, scope } = scoped;
  const backup = withoutNothing({
    volume_id: job.resource_id,
    name: nameOf(job),
    incremental: await buildsOnParent(cloudContext, scoped, deadline),
    force: true,
    metadata: { [markField]: job.backup_id },
    container: job.zone === undefined ? undefined : (options.backupContainers?.[job.zone] ?? job.zone),
  });
  const request = { service: "volume", method: "POST", path: ["backups"], body: { backup }, scope } as const;
  return idOf(objectOf((await cloud.ask(request, deadline)).backup)?.id);
}

function awaitBackup({ cloud }: CloudContext, id: string, { deadline, poll }: Pace): Promise<Wire> {
  return until(
    async () => {
      const backup = present(await findBackup(cloud, id, deadline), "backup", id);
      if (backup.status === "available") return backup;
      if (backup.status === "creating") return undefined;
      const reason = textOf(backup.fail_reason) ?? `it is ${idOf(backup.status)}`;
      throw new GatewayError("backend_error", `Cinder could not make the backup: ${reason.slice(0, 500)}.`);
    },
    deadline,
    poll,
  );
}

/** Cinder does not say how many bytes a backup takes: the volume's size is the most that it can be. */
function createdBackup(backup: Wire, volume: Wire): BackupMade {
  const bytes = Number(backup.size) * gigabyte;
  const volume_type = textOf(volume.volume_type);
  return {
    snapshot: idOf(backup.id),
    size: bytes,
    allocated: bytes,
    is_full: backup.is_incremental !== true,
    volume_type,
  };
}

async function takeBack(cloudContext: CloudContext, id: string, thrown: unknown): Promise<void> {
  try {
    await cloudContext.undo((deadline) => forceRemove(cloudContext, id, deadline));
  } catch {
    throw orphanError(thrown, `The backup ${id} was begun and could not be removed.`);
  }
}

/** Removes a backup in whatever state it is; one that is gone is no failure. */
async function forceRemove({ cloud }: CloudContext, id: string, deadline: OperationDeadline): Promise<void> {
  const body = { "os-force_delete": {} };
  await cloud.find({ service: "volume", method: "POST", path: ["backups", id, "action"], body }, deadline);
}
