import type { StoredBackup } from "../../api/portal/backups.ts";
import { isGatewayError } from "../../errors.ts";
import type { Records } from "../../ports/records.ts";
import { change } from "../tenancy/record-access.ts";

/** Moves a backup to another state and returns it; undefined, without a change, where a concurrent change forbids the move. */
export async function moveBackup(
  records: Records,
  id: string,
  by: (present: StoredBackup) => StoredBackup,
): Promise<StoredBackup | undefined> {
  try {
    return await change(records, "backup", { id, by });
  } catch (thrown) {
    if (isGatewayError(thrown) && (thrown.code === "conflict" || thrown.code === "not_found")) return undefined;
    throw thrown;
  }
}
