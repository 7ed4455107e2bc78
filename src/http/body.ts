import { Buffer, isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { GatewayError } from "../errors.ts";
import { type HttpRequest, readHeader } from "./exchange.ts";
import { endOfString } from "./json-text.ts";

/** Deeper nesting than any request needs; what is allowed here can be written out again without a stack overflow. */
const maxDepth = 1_000;

/** Told of a body's value and of its text, which is gone where an earlier middleware has read it; throws what is wrong with them. */
type Inspect = (value: unknown, text: string | undefined) => void;

/**
 * Reads the body as JSON. Throws `unsupported_media_type`, `request_too_large` (`limit` is in bytes and holds before and after
 * decompression) or `invalid_request`.
 *
 * A body without `content-type` is refused as well: clients of JSON APIs send one, and a web page may send a typeless body to
 * another origin without a preflight, which would let any page spend on a gateway that listens on localhost without a key.
 */
export async function readJson(request: HttpRequest, limit: number, inspect?: Inspect): Promise<unknown> {
  const { headers } = request;
  const mediaType = readHeader(headers, "content-type");
  if (mediaType !== undefined && !isJson(mediaType)) throw refuseMedia(`\`content-type: ${mediaType}\``);
  const body = await request.read(limit);
  if (body.kind === "parsed") {
    inspect?.(body.value, undefined);
    return body.value;
  }
  if (body.bytes.length === 0) throw unreadable("is empty");
  if (mediaType === undefined) throw refuseMedia("A body without `content-type`");
  const bytes = body.encoding === undefined ? body.bytes : await decompress(body.bytes, body.encoding, limit);
  return parseJson(bytes, inspect);
}

/** Reads a body that may be absent as JSON; `undefined` without one. Throws as {@link readJson} does. */
export async function readOptionalJson(request: HttpRequest, limit: number): Promise<unknown> {
  const { headers } = request;
  const length = readHeader(headers, "content-length");
  if ((length === undefined || length === "0") && headers["transfer-encoding"] === undefined) {
    const body = await request.read(limit);
    if (body.kind === "parsed") return body.value;
    if (body.bytes.length === 0) return undefined;
    return readJson({ ...request, read: async () => body }, limit);
  }
  return readJson(request, limit);
}

/** `application/json` or `application/<anything>+json`, in any case, with any parameters. */
function isJson(mediaType: string): boolean {
  return mediaType === "application/json" || /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function decompress(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const name = encoding.toLowerCase();
  if (name === "identity") return bytes;
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decode) throw refuseMedia(`\`content-encoding: ${encoding}\``, "`gzip`, `deflate`, `br`, or none");
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if (isOverflow(cause)) throw tooLarge(limit);
    throw unreadable(`is not valid ${name}`, cause);
  }
}

function isOverflow(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}

function parseJson(bytes: Uint8Array, inspect: Inspect | undefined): unknown {
  const text = withoutMark(bufferOf(bytes).toString("utf8"));
  if (text.includes(replacement) && !isUtf8(bytes)) throw unreadable("is not valid UTF-8");
  if (isTooDeep(text)) throw unreadable(`is nested deeper than ${maxDepth} levels`);
  const value = toValue(text);
  inspect?.(value, text);
  return value;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What stands for bytes that are no UTF-8, and may have been sent as it is. */
const replacement = "\ufffd";

/** Editors and shells of Windows put a byte-order mark before what they save as UTF-8; a reader may ignore it (RFC 8259, 8.1). */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable("is not readable JSON", cause);
  }
}

/** Counts levels only in a text that has enough brackets to go too deep and to come back, which most long ones do not. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth || !hasBrackets(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
  }
  return depth > maxDepth;
}

function hasBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > maxDepth) return true;
    }
  }
  return false;
}

/** The error of a body over the limit. */
export function tooLarge(limit: number): GatewayError {
  return new GatewayError("request_too_large", `The body is larger than ${limit} bytes.`);
}

function refuseMedia(what: string, instead = "`application/json`"): GatewayError {
  return new GatewayError("unsupported_media_type", `${what} is not accepted; send ${instead}.`);
}

function unreadable(problem: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_request", `The body ${problem}.`, { cause });
}
