import { GatewayError } from "../../../errors.ts";
import type { RestoreTarget } from "../../backup-driver.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, read } from "../../tenancy/record-access.ts";
import { copyToRestore, noteRestore } from "../planning/state.ts";
import type { BackupDeps } from "./backup-deps.ts";

/** Restores an available backup through its driver. Records the time of the restore only after the driver reports success. */
export async function restore(
  { regions, clock }: BackupDeps,
  id: string,
  {
    target,
    call,
  }: { readonly target: "source" | Exclude<RestoreTarget, { kind: "source" }>; readonly call: PortalCall },
): Promise<void> {
  const { records, signal } = call;
  const backup = await read(records, "backup", id);
  const { snapshot } = copyToRestore(backup);
  const driver = regions[backup.region]?.backups;
  if (!driver)
    throw new GatewayError("not_implemented", `No back end stores backups in the region \`${backup.region}\`.`);
  const { resource_id } = backup;
  const to: RestoreTarget = target === "source" ? { kind: "source", resource_id } : target;
  await driver.restore(snapshot, to, { signal, now: clock.now() });
  await change(records, "backup", { id, by: (present) => noteRestore(present, clock.now()) });
}
