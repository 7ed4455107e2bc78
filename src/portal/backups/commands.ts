import { GatewayError } from "../../engine/errors.ts";
import type { StoredBackup } from "../../operations/records/backups.ts";
import type { PortalCall } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, read, readAll } from "../tenancy/record-access.ts";
import { refresh } from "./assign.ts";
import { endOf } from "./planning/lifetime.ts";
import { cancel, extend, forceStart } from "./planning/state.ts";
import { requestRestore } from "./restores/request-restore.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";
import { lookForLost } from "./runs/look-for-lost.ts";

/** The manual commands on backups. */
export function backupCommands(deps: BackupDeps): AreaBackend<"backups"> {
  const { running } = deps;
  return {
    async cancel({ backup_id: id }, { records, caller, now, afterCommit }) {
      await change(records, "backup", { id, by: (present) => cancel(present, caller.user.username, now) });
      afterCommit(() => running.get(id)?.abort(new GatewayError("request_cancelled", "The backup was canceled.")));
    },
    async extend({ backup_id: id, ttl }, { records, now, warn }) {
      const until = endOf(ttl, now);
      const { copies } = await change(records, "backup", { id, by: (present) => extend(present, () => until) });
      const longer = copies.filter((copy) => !copy.is_removed && copy.expires_at > until);
      if (longer.length > 0) warn?.([describeLonger(longer, until)]);
    },
    async refresh(_input, call) {
      await refresh(deps, call);
      const { records, region, signal } = call;
      await lookForLost(deps, { records, region, signal });
    },
    async forceStart({ backup_id }, call) {
      const scheduled = await read(call.records, "backup", backup_id);
      await call.withLease(`backups/${scheduled.assignment_id}`, () => startExtra(deps, scheduled, call));
      call.afterCommit(() => deps.wake());
    },
    restore: ({ backup_id }, call) => requestRestore(deps, { backup_id, target: { kind: "source" } }, call),
    restoreImage: ({ backup_id, volume_name: name }, call) =>
      requestRestore(deps, { backup_id, target: { kind: "image", name } }, call),
    restoreVolume: ({ backup_id, volume_name: name, availability_zone, volume_type }, call) =>
      requestRestore(deps, { backup_id, target: { kind: "volume", name, availability_zone, volume_type } }, call),
  };
}

/** Says which copies stay for longer than an extension asked for: it never shortens. */
function describeLonger(copies: readonly StoredBackup["copies"][number][], until: number): string {
  const [wanted, latest] = [until, Math.max(...copies.map(({ expires_at }) => expires_at))].map((ms) =>
    new Date(ms).toISOString(),
  );
  return `\`ttl\`: ${wanted} is earlier than the end of ${copies.length} of the copies, which stay until ${latest} at the latest as before.`;
}

/** Queues an extra backup. Throws `conflict` while another extra one of the resource waits or is made. */
async function startExtra({ newId }: BackupDeps, scheduled: StoredBackup, { records, now }: PortalCall): Promise<void> {
  const { assignment_id, resource_type, resource_id } = scheduled;
  const extra = forceStart(scheduled, newId("bkp"), now);
  const others = await readAll(records, "backup", { assignment_id });
  if (others.some(({ manual, state }) => manual && (state === "queued" || state === "running"))) {
    const message = `The backup of ${resource_type} ${resource_id} was started already. Wait for its end, or cancel it.`;
    throw new GatewayError("conflict", message);
  }
  await add(records, "backup", extra);
}
