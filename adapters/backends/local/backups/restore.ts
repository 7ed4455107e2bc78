import { join } from "node:path";
import { writeWhole } from "../files.ts";
import { checkArchive, damaged, type Manifest, pieceBytes, readFrames, sumOf } from "./archive.ts";

/** An archive, and those that it builds on, the newest first, each compared with its checksum. */
export interface Chain {
  readonly paths: readonly string[];
  readonly newest: Manifest;
}

/** Where an archive lies. */
export function archivePath(folder: string, snapshot: string): string {
  return join(folder, "backups", `${encodeURIComponent(snapshot)}.tgb`);
}

/** Checks an archive and all that it builds on. Throws `backend_error` naming the one that is damaged or gone. */
export async function checkChain(folder: string, snapshot: string): Promise<Chain> {
  const paths = [archivePath(folder, snapshot)];
  const newest = await checkArchive(paths[0] ?? "");
  for (let next = newest.parent; next !== null; ) {
    const path = archivePath(folder, next);
    next = (await checkArchive(path)).parent;
    paths.push(path);
  }
  return { paths, newest };
}

/**
 * Writes the volume that an archive was made of to a file, byte for byte: each piece is taken from the newest archive that has it as it
 * was, and compared with its sum. The file is there whole or not at all.
 */
export async function restoreTo(path: string, { paths, newest }: Chain, onPiece: () => void): Promise<void> {
  await writeWhole(path, async (file) => {
    const missing = new Set(newest.sums.flatMap((sum, at) => (sum === "" ? [] : [at])));
    for (const archive of paths) {
      for await (const [at, piece] of readFrames(archive)) {
        if (!missing.has(at) || sumOf(piece) !== newest.sums[at]) continue;
        onPiece();
        await file.write(piece, 0, piece.length, at * pieceBytes);
        missing.delete(at);
      }
    }
    if (missing.size > 0) throw damaged(paths[0] ?? "", `${missing.size} pieces are in none of its archives`);
    await file.truncate(newest.bytes); // what was not written are zeros, which take no room
  });
}
