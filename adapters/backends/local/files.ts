import { createReadStream } from "node:fs";
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

/** The bytes of a file in pieces of this many; the last is as long as what is left. */
export async function* readPieces(path: string, pieceBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
    held.push(piece);
    length += piece.length;
    if (length < pieceBytes) continue;
    const all = Buffer.concat(held);
    yield all.subarray(0, pieceBytes);
    held = [all.subarray(pieceBytes)];
    length -= pieceBytes;
  }
  if (length > 0) yield Buffer.concat(held);
}
