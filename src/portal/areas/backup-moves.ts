import { GatewayError } from "../../errors.ts";
import { endOf } from "../backups/lifetime.ts";
import { restore } from "../backups/restore.ts";
import { cancel, extend, forceStart } from "../backups/state.ts";
import type { Works } from "../backups/works.ts";
import type { AreaBackend } from "../regions.ts";
import { change } from "../shelf.ts";

/** What is done to a backup by hand. */
export function backupMoves(works: Works): AreaBackend<"backups"> {
  const { underway } = works;
  return {
    async cancel({ backup_id: id }, { records, caller, now }) {
      await change(records, "backup", { id, by: (present) => cancel(present, caller.user.username, now) });
      underway.get(id)?.abort(new GatewayError("request_cancelled", "The backup was canceled."));
    },
    async extend({ backup_id: id, ttl }, { records, now }) {
      await change(records, "backup", { id, by: (present) => extend(present, () => endOf(ttl, now)) });
    },
    async forceStart({ backup_id: id }, { records, now }) {
      await change(records, "backup", { id, by: (present) => forceStart(present, now) });
      works.hurry();
    },
    restore: ({ backup_id }, call) => done(restore(works, backup_id, { target: "source", call })),
    restoreImage: ({ backup_id, volume_name: name }, call) =>
      done(restore(works, backup_id, { target: { kind: "image", name }, call })),
    restoreVolume: ({ backup_id, volume_name: name, availability_zone, volume_type }, call) =>
      done(restore(works, backup_id, { target: { kind: "volume", name, availability_zone, volume_type }, call })),
  };
}

async function done(work: Promise<void>): Promise<undefined> {
  await work;
  return undefined;
}
