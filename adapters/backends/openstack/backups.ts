import { GatewayError } from "../../../src/errors.ts";
import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import { findBackup, until } from "./backup-wire.ts";
import { idOf } from "./from-wire.ts";
import { makeBackup, markOf } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import type { Site } from "./site.ts";

/** The work of backups over Cinder, and Glance for images. */
export function backupsOf(site: Site): BackupDriver {
  const { cloud } = site;
  return {
    create: (job, call) => site.runLong(call, (work, poll) => makeBackup(site, job, { work, poll })),
    restore: (snapshot, target, call) =>
      site.runLong(call, (work, poll) => restoreBackup(site, { snapshot, target }, { work, poll })),
    remove: (snapshot, call) =>
      site.runLong(call, async (work, poll) => {
        const backup = await findBackup(cloud, snapshot, work);
        if (backup === undefined) return;
        if (backup.has_dependent_backups === true) {
          throw new GatewayError("conflict", "Incremental backups build on this one: remove them first.");
        }
        await cloud.find({ service: "volume", method: "DELETE", path: ["backups", snapshot] }, work);
        await until(() => isGone(site, snapshot, work), work, poll);
      }),
    list: (call) =>
      site.run(call, async (work) => {
        const query = { all_tenants: "1" };
        const backups = await cloud.list(
          { service: "volume", path: ["backups", "detail"], key: "backups", query },
          work,
        );
        return backups.filter((backup) => markOf(backup) !== undefined).map(({ id }) => idOf(id));
      }),
  };
}

async function isGone({ cloud }: Site, id: string, work: Parameters<typeof findBackup>[2]): Promise<true | undefined> {
  const backup = await findBackup(cloud, id, work);
  if (backup === undefined) return true;
  if (backup.status !== "error_deleting" && backup.status !== "error") return undefined;
  throw new GatewayError("backend_error", `Cinder could not delete the backup: it is ${idOf(backup.status)}.`);
}
