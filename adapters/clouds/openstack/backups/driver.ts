import { GatewayError } from "../../../../src/engine/errors.ts";
import type { BackupDriver } from "../../../../src/portal/backup-driver.ts";
import { idOf } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { makeBackup, markOf } from "./make-backup.ts";
import { checkRestore, restoreBackup } from "./restore-backup.ts";
import { discardRestored } from "./restored-image.ts";
import { findBackup, until } from "./wire.ts";

/** To another token Cinder lists its own project's backups without a word: those of all others would pass for lost. */
const hidden = "Our token is no administrator's: Cinder would hide the backups of other projects.";

/** The work of backups over Cinder, and Glance for images. */
export function backupsOf(cloudContext: CloudContext): BackupDriver {
  const { cloud } = cloudContext;
  return {
    create: (job, call) =>
      cloudContext.runLong(call, (deadline, poll) => makeBackup(cloudContext, job, { deadline, poll })),
    restore: (snapshot, target, call) =>
      cloudContext.runLong(call, (deadline, poll) =>
        restoreBackup(cloudContext, { snapshot, target, job: call.job }, { deadline, poll }),
      ),
    discard: (snapshot, target, call) =>
      cloudContext.runLong(call, (deadline, poll) =>
        discardRestored(cloudContext, { snapshot, target, mark: call.job }, { deadline, poll }),
      ),
    checkRestore: (snapshot, target, call) =>
      cloudContext.run(call, (deadline) => checkRestore(cloudContext, { snapshot, target }, deadline)),
    remove: (snapshot, call) =>
      cloudContext.runLong(call, async (deadline, poll) => {
        const backup = await findBackup(cloud, snapshot, deadline);
        if (backup === undefined) return;
        if (backup.has_dependent_backups === true) {
          throw new GatewayError("conflict", "Incremental backups build on this one: remove them first.");
        }
        await cloud.find({ service: "volume", method: "DELETE", path: ["backups", snapshot] }, deadline);
        await until(() => isGone(cloudContext, snapshot, deadline), deadline, poll);
      }),
    list: (call) =>
      cloudContext.run(call, async (deadline) => {
        const { isAdmin } = await cloud.session(deadline);
        if (!isAdmin) throw new GatewayError("backend_error", hidden);
        const query = { all_tenants: "1" };
        const backups = await cloud.list(
          { service: "volume", path: ["backups", "detail"], key: "backups", query },
          deadline,
        );
        return backups.filter((backup) => markOf(backup) !== undefined).map(({ id }) => idOf(id));
      }),
  };
}

async function isGone(
  { cloud }: CloudContext,
  id: string,
  deadline: Parameters<typeof findBackup>[2],
): Promise<true | undefined> {
  const backup = await findBackup(cloud, id, deadline);
  if (backup === undefined) return true;
  if (backup.status !== "error_deleting" && backup.status !== "error") return undefined;
  throw new GatewayError("backend_error", `Cinder could not delete the backup: it is ${idOf(backup.status)}.`);
}
