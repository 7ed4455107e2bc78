import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pieceBytes } from "../../../../../adapters/clouds/local/backups/archive.ts";
import { piecesOf } from "../../../../../adapters/clouds/local/backups/write-backup.ts";
import { allocateVolume } from "../../../../../adapters/clouds/local/volume-files.ts";

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
  [0, 0],
  [7, 7],
  [pieceBytes, pieceBytes],
  [pieceBytes + 7, pieceBytes + 7],
  [pieceBytes + 7, pieceBytes + 3],
  [pieceBytes + 7, 9],
])("a volume whose file has %d bytes is its first %d", async (written, size) => {
  const content = Buffer.alloc(written, "ab\u0000c");
  expect((await bytesOf(content, size)).equals(content.subarray(0, size))).toBe(true);
});

it.each([
  [undefined, 10, "is missing"],
  [undefined, 0, "is missing"],
  [0, 1, "is short: 0 bytes of 1"],
  [pieceBytes, pieceBytes + 1, "is short"],
  [pieceBytes + 7, 3 * pieceBytes, "is short"],
])(
  "a volume of whose file %s bytes are there has not %d: its backup fails with the cause",
  async (written, size, cause) => {
    const content = written === undefined ? undefined : Buffer.alloc(written, "ab");
    await expect(bytesOf(content, size)).rejects.toMatchObject({
      code: "backend_error",
      message: expect.stringContaining(cause),
    });
  },
);

it("a file that cannot be read fails with the cause, and without its path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-volume-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const failure = await piecesOf(folder, 0)
    .next()
    .catch((thrown: Error) => thrown); // a folder is no file
  expect(failure).toMatchObject({ code: "backend_error", message: expect.stringContaining("cannot be read (EISDIR)") });
  expect(String(failure)).not.toContain(folder);
});

it("a new volume is all zeros, and what is in a file stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-volume-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "deep", "v");
  await allocateVolume(path, 10);
  expect(readFileSync(path)).toEqual(Buffer.alloc(10));
  writeFileSync(path, "content");
  await allocateVolume(path, 10);
  expect(readFileSync(path, "utf8")).toBe("content");
});
