import { GatewayError, toGatewayError } from "../../../engine/errors.ts";
import { createAborter } from "../../../engine/runtime/abortable.ts";
import { warn } from "../../../engine/runtime/notify.ts";
import type { StoredBackupRestore } from "../../../operations/records/backups.ts";
import { moveBackup, moveRestore } from "../move.ts";
import { beginDiscard, beginRestore, endDiscard, endRestore, renewRestore } from "../planning/restore-states.ts";
import { leaseMs, noteRestore } from "../planning/state.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";
import { keepRenewing } from "../runs/keep-renewing.ts";

type RestoreDeps = Pick<BackupDeps, "records" | "regions" | "clock" | "notify" | "newId">;

/**
 * Carries out a queued restore, unless another process was faster, and notifies of its end. A restore is not tried again after a failure
 * of the driver; that of a process that died is, by the next tick.
 */
export async function runRestore(deps: RestoreDeps, id: string): Promise<void> {
  const { records, clock } = deps;
  const maker = deps.newId("mkr");
  const begun = await moveRestore(records, id, (present) => beginRestore(present, maker, clock.now()));
  if (begun === undefined) return;
  const renew = () => moveRestore(records, id, (present) => renewRestore(present, maker, clock.now()));
  const stopRenewing = keepRenewing(clock, leaseMs / 3, async () => (await renew()) !== undefined);
  try {
    const message = await restore(deps, begun);
    if (message === null) await moveBackup(records, begun.backup_id, (present) => noteRestore(present, clock.now()));
    const end = { message, now: clock.now() };
    const ended = await moveRestore(records, id, (present) => endRestore(present, maker, end));
    if (ended !== undefined) await notifyEnd(deps, ended);
  } finally {
    stopRenewing();
  }
}

/** Returns null, or why it failed. */
async function restore(
  { regions, clock }: RestoreDeps,
  { id, region, snapshot, target }: StoredBackupRestore,
): Promise<string | null> {
  try {
    const driver = regions[region]?.backups;
    if (!driver) throw new GatewayError("not_implemented", `No back end stores backups in the region \`${region}\`.`);
    await driver.restore(snapshot, target, { signal: createAborter(), now: clock.now(), job: id });
    return null;
  } catch (thrown) {
    const { message } = toGatewayError(thrown);
    warn(new Error(`The restore ${id} failed: ${message}`, { cause: thrown }));
    return message;
  }
}

/** Removes what a failed restore has left, unless another process was faster. One that cannot be removed is tried again. */
export async function discardRestore({ records, regions, clock }: RestoreDeps, id: string): Promise<void> {
  const begun = await moveRestore(records, id, (present) => beginDiscard(present, clock.now()));
  if (begun === undefined) return;
  const { region, snapshot, target } = begun;
  const call = { signal: createAborter(), now: clock.now(), job: id };
  try {
    await regions[region]?.backups?.discard?.(snapshot, target, call);
    await moveRestore(records, id, (present) => endDiscard(present, clock.now()));
  } catch (thrown) {
    const { message } = toGatewayError(thrown);
    warn(new Error(`What the failed restore ${id} left could not be removed: ${message}`, { cause: thrown }));
  }
}

/** Notifies everybody who sees the backup of how its restore ended. */
export async function notifyEnd({ notify }: Pick<RestoreDeps, "notify">, ended: StoredBackupRestore): Promise<void> {
  const { id, backup_id: subject, resource_id, message } = ended;
  const about = { subject, event: id, link: `/backup/${subject}`, scope: ended };
  if (message === null)
    await notify({ ...about, type: "backup_restored", key: "notice.backup_restored", params: { resource_id } });
  else
    await notify({
      ...{ ...about, type: "restore_failed", key: "notice.restore_failed", params: { resource_id, message } },
    });
}
