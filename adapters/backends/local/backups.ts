import { rm } from "node:fs/promises";
import { GatewayError } from "../../../src/errors.ts";
import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import { createQueue } from "../../../src/portal/queue.ts";
import { absent, type BackupGround } from "./backup-ground.ts";
import { makeBackup } from "./make-backup.ts";
import { archivePath, checkChain } from "./restore.ts";
import { restoreInto } from "./restore-target.ts";
import { stopIfEnded } from "./write-backup.ts";

/** Backups as archives in a folder, of volumes that are files in a folder. One thing is done at a time. */
export function backupsOf(ground: BackupGround): BackupDriver {
  const queue = createQueue();
  const { inventory } = ground;
  return {
    create: (job, call) => queue(() => makeBackup(job, call, ground)),
    restore: (snapshot, target, call) =>
      queue(async () => {
        await ground.opened();
        const backup = await inventory.find("backups", snapshot);
        if (backup === undefined) throw absent("backup", snapshot);
        if (backup.status !== "available")
          throw new GatewayError(
            "conflict",
            `The backup is ${backup.status}: it can be restored when it is available.`,
          );
        const chain = await checkChain(ground.folder, snapshot);
        ground.onPhase("checked", snapshot);
        stopIfEnded(call);
        await restoreInto({ backup, snapshot, target, chain }, ground);
        ground.onPhase("restored", snapshot);
      }),
    remove: (snapshot) => queue(() => remove(snapshot, ground)),
    async list() {
      const all = await inventory.list("backups");
      return all
        .filter(({ status, snapshot }) => status === "available" && snapshot === true)
        .map(({ id }) => String(id));
    },
  };
}

async function remove(snapshot: string, { inventory, folder }: BackupGround): Promise<void> {
  const backup = await inventory.find("backups", snapshot);
  if (backup === undefined) return;
  const isNeeded = (await inventory.list("backups")).some(({ parent }) => parent === snapshot);
  if (isNeeded) throw new GatewayError("conflict", "Incremental backups build on this one: remove them first.");
  await inventory.put("backups", snapshot, { ...backup, status: "deleting" }); // asked again, the rest is done
  await rm(archivePath(folder, snapshot), { force: true });
  await inventory.remove("backups", snapshot);
}
