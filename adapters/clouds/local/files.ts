import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file so that it is there whole or not at all, whenever the process dies: into a name beside it, then to the disk, then
 * under its own name. `fill` gets the open file.
 */
export async function writeWhole(path: string, fill: (file: FileTarget) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.part`;
  const file = await open(part, "w", 0o600);
  try {
    await fill(file);
    await file.sync();
    await file.close();
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw thrown;
  }
}

/** What is written to. */
export interface FileTarget {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<unknown>;
  truncate(length: number): Promise<void>;
}

/** A new name is only sure to last when its folder is on the disk too; Windows cannot do that, and needs not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * The bytes of a file in pieces of this many; the last is as long as what is left. A piece is only good until the next is asked for:
 * all are read into the same memory.
 */
export async function* readPieces(path: string, pieceBytes: number): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  const memory = Buffer.allocUnsafe(pieceBytes);
  try {
    for (;;) {
      let length = 0;
      for (let got = -1; got !== 0 && length < pieceBytes; length += got) {
        got = (await file.read(memory, length, pieceBytes - length, null)).bytesRead;
      }
      if (length > 0) yield memory.subarray(0, length);
      if (length < pieceBytes) return;
    }
  } finally {
    await file.close();
  }
}
