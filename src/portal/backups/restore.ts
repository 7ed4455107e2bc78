import { GatewayError } from "../../errors.ts";
import type { RestoreTarget } from "../backup-driver.ts";
import type { PortalCall } from "../call.ts";
import { change, read } from "../shelf.ts";
import { copyToRestore, noteRestore } from "./state.ts";
import type { Works } from "./works.ts";

/** Restores an available backup by its driver; when it was restored last is noted when the driver reports success, and only then. */
export async function restore(
  { regions, clock }: Works,
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
    throw new GatewayError("not_implemented", `No back end keeps backups in the region \`${backup.region}\`.`);
  const { resource_id } = backup;
  const to: RestoreTarget = target === "source" ? { kind: "source", resource_id } : target;
  await driver.restore(snapshot, to, { signal, now: clock.now() });
  await change(records, "backup", { id, by: (present) => noteRestore(present, clock.now()) });
}
