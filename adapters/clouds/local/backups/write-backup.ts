import type { DriverCall } from "../../../../src/portal/backup-driver.ts";
import { abortError } from "../../../shared/http/failure.ts";
import { writeWhole } from "../files.ts";
import { volumePath } from "../volume-files.ts";
import { type ArchivePlan, archivePath, writeArchive } from "./archive.ts";
import type { BackupContext } from "./context.ts";
import { piecesOf } from "./volumes.ts";

/** A backup to be written: its own id, what it is of, and what its parent holds. */
export interface BackupPlan {
  readonly snapshot: string;
  readonly about: ArchivePlan["about"];
  readonly present: ArchivePlan["present"];
  readonly call: DriverCall;
}

/** Writes the archive of a volume; one that fails leaves nothing behind. */
export async function writeBackup(
  { snapshot, about, present, call }: BackupPlan,
  context: BackupContext,
): Promise<void> {
  const { folder, inventory } = context;
  const pieces = read({ about, call, snapshot }, context);
  try {
    await writeWhole(archivePath(folder, snapshot), (file) => writeArchive(file, { pieces, about, present }));
  } catch (thrown) {
    await inventory.remove("backups", snapshot);
    throw thrown;
  }
}

async function* read({ about, call, snapshot }: Omit<BackupPlan, "present">, { folder, onPhase }: BackupContext) {
  for await (const piece of piecesOf(volumePath(folder, about.volume_id), about.bytes)) {
    stopIfEnded(call);
    onPhase("reading", snapshot);
    yield piece;
  }
}

/** Throws when the work was stopped. */
export function stopIfEnded({ signal }: DriverCall): void {
  if (signal.aborted) throw abortError(signal);
}
