import { Buffer } from "node:buffer";
import { unreadable } from "./body-errors.ts";

/** One part of a body of `multipart/form-data` (RFC 7578). */
export interface BodyPart {
  readonly name: string;
  /** Of the part's own; `text/plain` where it says none. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Parts of one body; more are refused. */
const mostParts = 128;
/** Bytes of the head of a part. */
const longestHead = 8_192;
const lineEnd = "\r\n";

/** The parts of a body, by name, without copying them. Throws `invalid_request` where it is none of that kind. */
export function readMultipart(bytes: Uint8Array, mediaType: string): ReadonlyMap<string, BodyPart> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(mediaType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable("has no `boundary`");
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`);
  const parts = new Map<string, BodyPart>();
  let at = body.indexOf(`--${boundary}`);
  if (at === -1) throw unreadable("does not hold its `boundary`");
  at += delimiter.length - lineEnd.length;
  while (body.toString("latin1", at, at + 2) !== "--") {
    const end = body.indexOf(delimiter, at);
    if (end === -1) throw unreadable("ends in the middle of a part");
    const part = readPart(body, at, end);
    if (parts.has(part.name)) throw unreadable(`has two parts named \`${part.name}\``);
    parts.set(part.name, part);
    if (parts.size > mostParts) throw unreadable(`has more than ${mostParts} parts`);
    at = end + delimiter.length;
  }
  return parts;
}

/** The part between two delimiters: its head, an empty line, its bytes. */
function readPart(body: Buffer, start: number, end: number): BodyPart {
  const gap = body.subarray(start, Math.min(end, start + longestHead)).indexOf(lineEnd + lineEnd);
  if (gap === -1) throw unreadable("has a part without a head");
  const head = body.toString("utf8", start, start + gap);
  const [, name] = /^content-disposition:\s*form-data\b[^\r\n]*?;\s*name="([^"\r\n]*)"/im.exec(head) ?? [];
  if (name === undefined) throw unreadable("has a part without a name");
  const [, mediaType = "text/plain"] = /^content-type:\s*([^\r\n]+)/im.exec(head) ?? [];
  return { name, mediaType: mediaType.trim(), bytes: body.subarray(start + gap + 4, end) };
}
