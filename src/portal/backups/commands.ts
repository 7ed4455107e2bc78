import { GatewayError } from "../../errors.ts";
import type { AreaBackend } from "../regions.ts";
import { change } from "../tenancy/record-access.ts";
import { endOf } from "./planning/lifetime.ts";
import { cancel, extend, forceStart } from "./planning/state.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";
import { restore } from "./runs/restore.ts";

/** The manual commands on backups. */
export function backupCommands(deps: BackupDeps): AreaBackend<"backups"> {
  const { running } = deps;
  return {
    async cancel({ backup_id: id }, { records, caller, now }) {
      await change(records, "backup", { id, by: (present) => cancel(present, caller.user.username, now) });
      running.get(id)?.abort(new GatewayError("request_cancelled", "The backup was canceled."));
    },
    async extend({ backup_id: id, ttl }, { records, now }) {
      await change(records, "backup", { id, by: (present) => extend(present, () => endOf(ttl, now)) });
    },
    async forceStart({ backup_id: id }, { records, now }) {
      await change(records, "backup", { id, by: (present) => forceStart(present, now) });
      deps.wake();
    },
    restore: ({ backup_id }, call) => done(restore(deps, backup_id, { target: "source", call })),
    restoreImage: ({ backup_id, volume_name: name }, call) =>
      done(restore(deps, backup_id, { target: { kind: "image", name }, call })),
    restoreVolume: ({ backup_id, volume_name: name, availability_zone, volume_type }, call) =>
      done(restore(deps, backup_id, { target: { kind: "volume", name, availability_zone, volume_type }, call })),
  };
}

async function done(work: Promise<void>): Promise<undefined> {
  await work;
  return undefined;
}
