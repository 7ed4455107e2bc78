import { GatewayError } from "../../../engine/errors.ts";
import type { StoredBackup, StoredRestoreTarget } from "../../../operations/records/backups.ts";
import type { PortalCall } from "../../call/call.ts";
import { add, read, readAll } from "../../tenancy/record-access.ts";
import { isActive, newRestore } from "../planning/restore-states.ts";
import { copyToRestore } from "../planning/state.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";

/** The backup that a caller wants restored. */
interface WantedRestore {
  readonly backup_id: string;
  readonly target: { readonly kind: "source" } | Exclude<StoredRestoreTarget, { kind: "source" }>;
}

/**
 * Records a restore of an available backup, which a job carries out, and tells the caller its id. Throws what is known before: `conflict`
 * for a backup in another state, a volume in use or a restore under way, `invalid_request` for a target that the driver does not have.
 */
export async function requestRestore(
  { regions, newId, wake }: BackupDeps,
  { backup_id, target: wanted }: WantedRestore,
  call: PortalCall,
): Promise<undefined> {
  const backup = await read(call.records, "backup", backup_id);
  const { snapshot } = copyToRestore(backup);
  const driver = regions[backup.region]?.backups;
  if (!driver)
    throw new GatewayError("not_implemented", `No back end stores backups in the region \`${backup.region}\`.`);
  const { resource_id } = backup;
  const target = wanted.kind === "source" ? { ...wanted, resource_id } : wanted;
  await driver.checkRestore?.(snapshot, target, { signal: call.signal, now: call.now });
  const { username: by } = call.caller.user;
  const restore = newRestore(backup, { id: newId("rst"), snapshot, target, by, now: call.now });
  await call.withLease(`restores/${resource_id}`, async () => {
    await refuseSecond(backup, target, call);
    await add(call.records, "backup_restore", restore);
  });
  call.showJob?.(restore.id);
  call.afterCommit(wake);
}

/** Throws `conflict` while a backup is restored over the same volume. */
async function refuseSecond(
  { resource_id }: StoredBackup,
  target: StoredRestoreTarget,
  { allRecords }: PortalCall,
): Promise<void> {
  if (target.kind !== "source") return;
  const all = await readAll(allRecords, "backup_restore", { resource_id });
  if (!all.some((other) => other.target.kind === "source" && isActive(other))) return;
  const message = `A backup is being restored to the volume \`${resource_id}\`: wait for its end.`;
  throw new GatewayError("conflict", message);
}
