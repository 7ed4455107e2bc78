import { rm } from "node:fs/promises";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { BackupDriver } from "../../../../src/portal/backup-driver.ts";
import { createMutex } from "../../../../src/portal/locks/mutex.ts";
import type { Resource } from "../inventory.ts";
import { archivePath, checkChain } from "./archive.ts";
import { absent, type BackupContext } from "./context.ts";
import { makeBackup } from "./make-backup.ts";
import { checkTarget, discardRestored, restoreInto } from "./restore-target.ts";
import { stopIfEnded } from "./write-backup.ts";

/** Backups as archives in a folder, of volumes that are files in a folder. One thing is done at a time. */
export function backupsOf(context: BackupContext): BackupDriver {
  const queue = createMutex();
  const { inventory } = context;
  return {
    create: (job, call) => queue(() => makeBackup(job, call, context)),
    restore: (snapshot, target, call) =>
      queue(async () => {
        const backup = await restorable(snapshot, context);
        const chain = await checkChain(context.folder, snapshot);
        context.onPhase("checked", snapshot);
        stopIfEnded(call);
        await restoreInto({ backup, snapshot, target, chain, job: call.job }, context);
        context.onPhase("restored", snapshot);
      }),
    discard: (_snapshot, target, { job }) => queue(() => discardRestored({ target, job }, context)),
    async checkRestore(snapshot, target) {
      await checkTarget(await restorable(snapshot, context), { snapshot, target }, context);
    },
    remove: (snapshot) => queue(() => remove(snapshot, context)),
    async list() {
      const all = await inventory.list("backups");
      return all
        .filter(({ status, snapshot }) => status === "available" && snapshot === true)
        .map(({ id }) => String(id));
    },
  };
}

async function restorable(snapshot: string, { opened, inventory }: BackupContext): Promise<Resource> {
  await opened();
  const backup = await inventory.find("backups", snapshot);
  if (backup === undefined) throw absent("backup", snapshot);
  if (backup.status === "available") return backup;
  throw new GatewayError("conflict", `The backup is ${backup.status}: it can be restored when it is available.`);
}

async function remove(snapshot: string, { inventory, folder }: BackupContext): Promise<void> {
  const backup = await inventory.find("backups", snapshot);
  if (backup === undefined) return;
  const isNeeded = (await inventory.list("backups")).some(({ parent }) => parent === snapshot);
  if (isNeeded) throw new GatewayError("conflict", "Incremental backups build on this one: remove them first.");
  await inventory.put("backups", snapshot, { ...backup, status: "deleting" }); // asked again, the rest is done
  await rm(archivePath(folder, snapshot), { force: true });
  await inventory.remove("backups", snapshot);
}
