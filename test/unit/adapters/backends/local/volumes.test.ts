import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pieceBytes } from "../../../../../adapters/backends/local/backups/archive.ts";
import { piecesOf } from "../../../../../adapters/backends/local/backups/volumes.ts";

async function bytesOf(written: Uint8Array | undefined, bytes: number): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-volume-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "v");
  if (written !== undefined) writeFileSync(path, written);
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(path, bytes)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

it.each([
  [undefined, 10],
  [0, 10],
  [7, 7],
  [7, 10],
  [7, pieceBytes],
  [7, pieceBytes + 3],
  [pieceBytes, 2 * pieceBytes + 3],
  [pieceBytes + 7, pieceBytes + 9],
  [pieceBytes + 7, 3 * pieceBytes],
])("a volume of whose file %d bytes are written is they, and zeros up to its %d", async (written, size) => {
  const content = written === undefined ? undefined : Buffer.alloc(written, "ab\u0000c");
  const expected = Buffer.alloc(size);
  content?.copy(expected);
  expect((await bytesOf(content, size)).equals(expected)).toBe(true);
});
