import { createHash, type Hash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { z } from "zod";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { type FileTarget, readPieces } from "../files.ts";

/*
 * An archive: a line that says what it is; frames of an index, a length and a compressed piece of the volume; the manifest in JSON;
 * its length; the SHA-256 of everything before. Numbers have 32 bits, the highest first. Pieces of zeros have no frame, nor have those
 * of an incremental archive that its parents hold.
 */
const head = Buffer.from("tollgate backup 1\n");
const sumBytes = 32;
const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Bytes of a piece. */
export const pieceBytes = 1_048_576;

const Manifest = z.object({
  backup_id: z.string(),
  volume_id: z.string(),
  /** Bytes of the volume. */
  bytes: z.int().nonnegative(),
  /** The archive that this one builds on; null for a full one. */
  parent: z.string().nullable(),
  /** The SHA-256 of each piece; empty for zeros. */
  sums: z.array(z.string()),
});

/** What an archive holds. */
export type Manifest = z.output<typeof Manifest>;

/** A piece of zeros: it takes no room on disk, in a volume as in an archive. */
const zeros = Buffer.alloc(pieceBytes);

export function sumOf(piece: Uint8Array): string {
  return Buffer.compare(piece, zeros.subarray(0, piece.length)) === 0
    ? ""
    : createHash("sha256").update(piece).digest("hex");
}

interface ArchiveSink {
  readonly file: FileTarget;
  readonly hash: Hash;
  at: number;
}

async function append(sink: ArchiveSink, bytes: Uint8Array): Promise<void> {
  await sink.file.write(bytes, 0, bytes.length, sink.at);
  sink.hash.update(bytes);
  sink.at += bytes.length;
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** What is archived: the pieces of a volume in order, and what is known of it. */
export interface ArchivePlan {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly about: Omit<Manifest, "sums">;
  /** The sums of the parent's pieces; empty for a full archive. */
  readonly present: readonly string[];
}

/** Writes an archive. */
export async function writeArchive(file: FileTarget, { pieces, about, present }: ArchivePlan): Promise<void> {
  const sink: ArchiveSink = { file, hash: createHash("sha256"), at: 0 };
  await append(sink, head);
  const sums: string[] = [];
  for await (const piece of pieces) {
    const sum = sumOf(piece);
    if (sum !== "" && present[sums.length] !== sum) {
      const packed = await deflate(piece, { level: 1 });
      await append(sink, Buffer.concat([number(sums.length), number(packed.length), packed]));
    }
    sums.push(sum);
  }
  const manifest = Buffer.from(JSON.stringify({ ...about, sums } satisfies Manifest));
  await append(sink, Buffer.concat([manifest, number(manifest.length)]));
  await file.write(sink.hash.digest(), 0, sumBytes, sink.at);
}

/** The error of an archive that is not what was written. */
export function damaged(path: string, what: string, cause?: unknown): GatewayError {
  const name = path.split(/[/\\]/).at(-1);
  return new GatewayError("backend_error", `The archive ${name} is damaged (${what}): nothing was restored from it.`, {
    cause,
  });
}

/** Reads an archive whole and compares it with its checksum; gives what it holds. Throws `backend_error` for one that is damaged. */
export async function checkArchive(path: string): Promise<Manifest> {
  const size = await sizeOf(path);
  const hash = createHash("sha256");
  let left = size - sumBytes;
  let tail: Uint8Array = Buffer.alloc(0);
  for await (const piece of readPieces(path, pieceBytes)) {
    hash.update(piece.subarray(0, Math.max(0, left)));
    left -= piece.length;
    tail = Buffer.concat([tail, piece]).subarray(-sumBytes);
  }
  if (!hash.digest().equals(tail)) throw damaged(path, "its checksum does not match");
  return readManifest(path, size);
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw damaged(path, "the file is gone", thrown);
  });
  if (found.size < head.length + 4 + sumBytes) throw damaged(path, "it is too short");
  return found.size;
}

async function readManifest(path: string, size: number): Promise<Manifest> {
  const file = await open(path, "r");
  try {
    const end = size - sumBytes - 4;
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, end);
    const length = buffer.readUInt32BE();
    const text = (await file.read(Buffer.alloc(Math.min(length, end)), 0, length, end - length)).buffer.toString(
      "utf8",
    );
    return Manifest.parse(JSON.parse(text));
  } catch (thrown) {
    throw damaged(path, "its manifest cannot be read", thrown);
  } finally {
    await file.close();
  }
}

/** The pieces that an archive itself holds, with their places. */
export async function* readFrames(path: string): AsyncGenerator<readonly [index: number, piece: Buffer]> {
  const file = await open(path, "r");
  try {
    const size = (await file.stat()).size;
    const manifestAt =
      size - sumBytes - 4 - (await file.read(Buffer.alloc(4), 0, 4, size - sumBytes - 4)).buffer.readUInt32BE();
    for (let at = head.length; at < manifestAt; ) {
      const { buffer: mark } = await file.read(Buffer.alloc(8), 0, 8, at);
      const length = mark.readUInt32BE(4);
      const { buffer: packed } = await file.read(Buffer.alloc(length), 0, length, at + 8);
      yield [mark.readUInt32BE(0), await inflate(packed)];
      at += 8 + length;
    }
  } finally {
    await file.close();
  }
}

/** Where an archive lies. */
export function archivePath(folder: string, snapshot: string): string {
  return join(folder, "backups", `${encodeURIComponent(snapshot)}.tgb`);
}

/** An archive, and those that it builds on, the newest first, each compared with its checksum. */
export interface Chain {
  readonly paths: readonly string[];
  readonly newest: Manifest;
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
