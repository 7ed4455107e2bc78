import { Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
} from "node:zlib";
import { GatewayError } from "../../../src/engine/errors.ts";
import { nameOf, networkError, type Peer, tooLarge } from "./failure.ts";

interface ContentCodec {
  whole(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array>;
  stream(): Transform;
}

/** Flushing after every piece, or an event would wait inside the decoder for the next one. */
const flush = { flush: constants.Z_SYNC_FLUSH };
const gzip: ContentCodec = { whole: promisify(gunzip), stream: () => createGunzip(flush) };

const codecs: Readonly<Record<string, ContentCodec>> = {
  gzip,
  "x-gzip": gzip,
  deflate: { whole: promisify(inflate), stream: () => createInflate(flush) },
  br: {
    whole: promisify(brotliDecompress),
    stream: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  },
};

function codecOf(encoding: string, peer: Peer): ContentCodec {
  const codec = codecs[encoding.trim().toLowerCase()];
  if (codec !== undefined) return codec;
  const message = `The answer of ${nameOf(peer)} has a content encoding that was not asked for.`; // not which: it may say anything
  throw new GatewayError("upstream_invalid_response", message);
}

/** Whether a `content-encoding` header asks for decoding. */
export function isEncoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity";
}

/** Decompresses a whole body; `limit` bounds its decoded size. */
export async function inflateWhole(
  body: Uint8Array,
  encoding: string,
  { peer, limit }: { peer: Peer; limit: number },
): Promise<Uint8Array> {
  try {
    return await codecOf(encoding, peer).whole(body, { maxOutputLength: limit });
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooLarge(peer, limit);
    throw networkError(thrown, peer, "inside a whole answer");
  }
}

/** Decompresses a body piece by piece; returning early ends the source. No generator: one that never began skips its `finally`. */
export function inflateStream(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  peer: Peer,
): AsyncIterableIterator<Uint8Array> {
  const decoder = codecOf(encoding, peer).stream();
  const source = Readable.from(body, { objectMode: false });
  source.on("error", (error) => decoder.destroy(error));
  const pieces: AsyncIterator<Uint8Array> = source.pipe(decoder)[Symbol.asyncIterator]();
  const explain = (thrown: unknown): never => {
    throw networkError(thrown, peer, "inside a stream");
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => pieces.next().catch(explain),
    async return() {
      source.destroy();
      decoder.destroy();
      return { done: true, value: undefined };
    },
  };
}
