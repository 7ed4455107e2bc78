import type { StoredBackup } from "../../api/portal/backups.ts";
import { isGatewayError } from "../../errors.ts";
import type { Records } from "../../ports/records.ts";
import { change } from "../shelf.ts";

/** Moves a backup, and gives it as it is then; undefined for one that was moved otherwise meanwhile, and stays where it is. */
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
