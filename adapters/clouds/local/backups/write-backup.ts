import { stat } from "node:fs/promises";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { DriverCall } from "../../../../src/portal/backup-driver.ts";
import { abortError } from "../../../shared/http/failure.ts";
import { readPieces, writeWhole } from "../files.ts";
import { volumePath } from "../volume-files.ts";
import { type ArchivePlan, archivePath, pieceBytes, writeArchive } from "./archive.ts";
import type { BackupContext } from "./context.ts";

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

/**
 * The bytes of a volume in pieces. Throws `backend_error` for a file that is missing, cannot be read, or is shorter than the volume: what
 * is not there is no zeros.
 */
export async function* piecesOf(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  try {
    const { size } = await stat(path);
    if (size < bytes) throw short(size, bytes);
    for await (const piece of readPieces(path, pieceBytes)) {
      if (at < bytes) yield piece.subarray(0, bytes - at);
      at += piece.length;
    }
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : unreadable(thrown);
  }
  if (at < bytes) throw short(at, bytes);
}

function short(size: number, bytes: number): GatewayError {
  return new GatewayError("backend_error", `The volume's file is short: ${size} bytes of ${bytes}.`);
}

/** The error of the file system, without its path: that is the gateway's own. */
function unreadable(thrown: unknown): GatewayError {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  const what = code === "ENOENT" ? "is missing" : `cannot be read (${code ?? "unknown error"})`;
  return new GatewayError("backend_error", `The volume's file ${what}.`, { cause: thrown });
}
