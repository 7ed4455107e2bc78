import { isGatewayError } from "../../engine/errors.ts";
import type { RecordKinds, Records } from "../../engine/ports/records.ts";
import { change } from "../tenancy/record-access.ts";

/** Moves records of a kind: see {@link moveBackup}. */
function moverOf<Kind extends "backup" | "backup_restore">(kind: Kind) {
  type Moved = RecordKinds[Kind];
  return async (records: Records, id: string, by: (present: Moved) => Moved): Promise<Moved | undefined> => {
    try {
      return await change(records, kind, { id, by });
    } catch (thrown) {
      if (isGatewayError(thrown) && (thrown.code === "conflict" || thrown.code === "not_found")) return undefined;
      throw thrown;
    }
  };
}

/** Moves a backup to another state and returns it; undefined, without a change, where a concurrent change forbids the move. */
export const moveBackup = moverOf("backup");

/** The same of a restore. */
export const moveRestore = moverOf("backup_restore");
