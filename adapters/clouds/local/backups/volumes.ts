import { stat } from "node:fs/promises";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { readPieces } from "../files.ts";
import { pieceBytes } from "./archive.ts";

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
