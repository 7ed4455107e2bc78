import { writeWhole } from "../files.ts";
import { type Chain, damaged, pieceBytes, readFrames, sumOf } from "./archive.ts";

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
