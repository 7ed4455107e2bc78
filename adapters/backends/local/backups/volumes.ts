import { stat } from "node:fs/promises";
import { readPieces } from "../files.ts";
import { pieceBytes } from "./archive.ts";

const zeros = Buffer.alloc(pieceBytes);

/** The bytes of a volume in pieces. A file that is missing or short stands for zeros up to the volume's size. */
export async function* piecesOf(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  if (isThere) {
    for await (const piece of readPieces(path, pieceBytes)) {
      if (piece.length < pieceBytes && at + piece.length < bytes) {
        const whole = Buffer.alloc(Math.min(pieceBytes, bytes - at));
        piece.copy(whole);
        yield whole;
        at += whole.length;
      } else {
        yield piece;
        at += piece.length;
      }
    }
  }
  for (; at < bytes; at += pieceBytes) yield zeros.subarray(0, Math.min(pieceBytes, bytes - at));
}
