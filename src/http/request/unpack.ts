import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { BufferedBody } from "./body-buffers.ts";
import { refuseMedia, unpacksTooFar, unreadable } from "./body-errors.ts";
import { type SettledBounds, unpackedLimit } from "./bounds.ts";

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(zlib.gunzip),
  "x-gzip": promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  ...("zstdDecompress" in zlib ? { zstd: promisify(zlib.zstdDecompress) } : {}), // Node 22.15 and later
};

interface Unpacking {
  readonly bounds: SettledBounds;
  readonly buffer: BufferedBody;
}

/**
 * Decompresses a body. Throws `unsupported_media_type`, `request_too_large`, `overloaded` or `invalid_request`. Until its size is known,
 * the largest allowed one counts as buffered.
 */
export async function unpack(bytes: Uint8Array, encoding: string, { bounds, buffer }: Unpacking): Promise<Uint8Array> {
  const name = encoding.toLowerCase();
  if (name === "identity") return bytes;
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decode) throw refuseMedia(`\`content-encoding: ${encoding}\``, "`gzip`, `deflate`, `br`, `zstd`, or none");
  const limit = unpackedLimit(bounds, bytes.length);
  buffer.resize(bytes.length + limit);
  try {
    const unpacked = await decode(bytes, { maxOutputLength: limit });
    buffer.resize(bytes.length + unpacked.length);
    return unpacked;
  } catch (cause) {
    if (isOverflow(cause)) throw unpacksTooFar(bounds, limit);
    throw unreadable(`is not valid ${name}`, cause);
  }
}

function isOverflow(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}
