import { GatewayError } from "../../../src/errors.ts";
import type { BackupJob, BackupMade } from "../../../src/portal/backup-driver.ts";
import type { Work } from "../shared/work.ts";
import { findBackup, findVolume, gigabyte, markField, present, projectOf, until } from "./backup-wire.ts";
import type { Wire } from "./cloud.ts";
import { isUnanswered } from "./faults.ts";
import { idOf, objectOf, textOf, withoutNothing } from "./from-wire.ts";
import type { Scope } from "./options.ts";
import { enterProject } from "./project-scope.ts";
import { leftBehind } from "./quotas.ts";
import type { Site } from "./site.ts";

/** How long something may take and how often it is looked at. */
interface Pace {
  readonly work: Work;
  readonly poll: number;
}

/**
 * Makes a backup of a volume and waits for it. The portal's id stands in the backup's metadata: asked for again, after a worker has died,
 * the one that was begun is waited for and no second one made. When the work is stopped or fails, the backup is removed.
 */
export async function makeBackup(site: Site, job: BackupJob, { work, poll }: Pace): Promise<BackupMade> {
  if (job.resource_type !== "volume") {
    throw new GatewayError("invalid_request", `Cinder backs up volumes, not \`${job.resource_type}\`.`, {
      param: "resource_type",
    });
  }
  const volume = present(await findVolume(site.cloud, job.resource_id, work), "volume", job.resource_id);
  const projectId = projectOf(volume);
  if (job.project_id !== undefined && job.project_id !== projectId) present(undefined, "volume", job.resource_id);
  const scope = await enterProject(site, projectId, work);
  const begun = await findBegun(site, { job, scope }, work);
  const id = begun ?? (await beginOnce(site, { job, scope }, work));
  try {
    const backup = await awaitBackup(site, id, { work, poll });
    return madeOf(backup, volume);
  } catch (thrown) {
    await takeBack(site, id, thrown);
    throw thrown;
  }
}

interface Place {
  readonly job: BackupJob;
  readonly scope: Scope | undefined;
}

/** The backup that an earlier call for the same job has begun, unless it failed. */
async function findBegun({ cloud }: Site, { job, scope }: Place, work: Work): Promise<string | undefined> {
  const query = { name: nameOf(job) };
  const request = { service: "volume", path: ["backups", "detail"], key: "backups", query, scope } as const;
  const found = (await cloud.list(request, work)).filter((backup) => markOf(backup) === job.backup_id);
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
async function beginOnce(site: Site, place: Place, work: Work): Promise<string> {
  try {
    return await begin(site, place, work);
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    try {
      await site.undo(async (later) => {
        const lost = await findBegun(site, place, later);
        if (lost !== undefined) await forceRemove(site, lost, later);
      });
    } catch {
      throw leftBehind(thrown, `A backup \`${nameOf(place.job)}\` may have been begun and could not be removed.`);
    }
    throw thrown;
  }
}

/** An incremental backup builds on the newest one that Cinder has of the volume; a volume in use is backed up as it is. */
async function begin({ cloud, options }: Site, { job, scope }: Place, work: Work): Promise<string> {
  const backup = withoutNothing({
    volume_id: job.resource_id,
    name: nameOf(job),
    incremental: !job.is_full,
    force: true,
    metadata: { [markField]: job.backup_id },
    container: job.zone === undefined ? undefined : (options.backupContainers?.[job.zone] ?? job.zone),
  });
  const request = { service: "volume", method: "POST", path: ["backups"], body: { backup }, scope } as const;
  return idOf(objectOf((await cloud.ask(request, work)).backup)?.id);
}

function awaitBackup({ cloud }: Site, id: string, { work, poll }: Pace): Promise<Wire> {
  return until(
    async () => {
      const backup = present(await findBackup(cloud, id, work), "backup", id);
      if (backup.status === "available") return backup;
      if (backup.status === "creating") return undefined;
      const reason = textOf(backup.fail_reason) ?? `it is ${idOf(backup.status)}`;
      throw new GatewayError("backend_error", `Cinder could not make the backup: ${reason.slice(0, 500)}.`);
    },
    work,
    poll,
  );
}

/** Cinder does not say how many bytes a backup takes: the volume's size is the most that it can be. */
function madeOf(backup: Wire, volume: Wire): BackupMade {
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

async function takeBack(site: Site, id: string, thrown: unknown): Promise<void> {
  try {
    await site.undo((work) => forceRemove(site, id, work));
  } catch {
    throw leftBehind(thrown, `The backup ${id} was begun and could not be removed.`);
  }
}

/** Removes a backup in whatever state it is; one that is gone is no failure. */
async function forceRemove({ cloud }: Site, id: string, work: Work): Promise<void> {
  const body = { "os-force_delete": {} };
  await cloud.find({ service: "volume", method: "POST", path: ["backups", id, "action"], body }, work);
}
