import { Buffer } from "node:buffer";
import type { JsonRange } from "./json-scan.ts";

/**
 * The long members of a JSON object as its author wrote them. Who sends such a member on unchanged may send this text: to write a
 * conversation of a coding agent anew takes longer than all else that is done with it.
 */
export interface JsonSource {
  /** A JSON object with this value, in UTF-8; members that are what the author's are go in the author's words. */
  write(body: object): Buffer;
  /** Lets go of the bytes, which would be one more copy of the request while its answer is waited for. */
  release(): void;
}

interface LongMember {
  readonly value: object;
  readonly bytes: Buffer;
}

/** A JSON text that was read. */
interface ParsedText {
  readonly text: string;
  /** Its bytes, before which there may be a mark. */
  readonly bytes: Buffer;
  /** Where its long parts are. */
  readonly parts: readonly JsonRange[];
}

/** The source of a parsed value; undefined for one that is no object, or has no long members. */
export function sourceOf(value: unknown, { text, bytes, parts }: ParsedText): JsonSource | undefined {
  if (parts.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = new Map<string, LongMember>();
  const isAscii = text.length === bytes.length;
  const position = (at: number) => (isAscii ? at : bytes.length - Buffer.byteLength(text.slice(at)));
  for (const { start, end } of parts) {
    const name = nameBefore(text, start);
    const member = name === undefined ? undefined : (value as Record<string, unknown>)[name];
    if (name === undefined || typeof member !== "object" || member === null) continue;
    members.set(name, { value: member, bytes: bytes.subarray(position(start), position(end)) });
  }
  return members.size === 0 ? undefined : createSource(members);
}

/** Apart from what was read, which functions made in the same scope would keep alive. */
function createSource(members: Map<string, LongMember>): JsonSource {
  return { write: (body) => writeWith(members, body), release: () => members.clear() };
}

/** The name of the member whose value begins here; undefined for one with an escape in it. */
function nameBefore(text: string, start: number): string | undefined {
  const colon = lastNonBlank(text, start - 1);
  const end = lastNonBlank(text, colon - 1);
  if (text[colon] !== ":" || text[end] !== '"') return undefined;
  const name = text.slice(text.lastIndexOf('"', end - 1) + 1, end);
  return name.includes("\\") ? undefined : name;
}

function lastNonBlank(text: string, from: number): number {
  let at = from;
  while (at >= 0 && " \n\r\t".includes(text[at] as string)) at--;
  return at;
}

function writeWith(members: ReadonlyMap<string, LongMember>, body: object): Buffer {
  const pieces: Buffer[] = [];
  let text = "";
  let comma = "{";
  for (const [name, value] of Object.entries(body)) {
    const member = members.get(name);
    const isUnchanged = member !== undefined && isSame(value, member.value);
    const written = isUnchanged ? "" : JSON.stringify(value);
    if (written === undefined) continue;
    text += `${comma}${JSON.stringify(name)}:${written}`;
    comma = ",";
    if (!isUnchanged) continue;
    pieces.push(Buffer.from(text), member.bytes);
    text = "";
  }
  return Buffer.concat([...pieces, Buffer.from(comma === "{" ? "{}" : `${text}}`)]);
}

/** True where both are the same JSON; members that are undefined are absent. The second is as it was parsed. */
function isSame(value: unknown, parsed: unknown): boolean {
  if (value === parsed) return true;
  if (typeof value !== "object" || typeof parsed !== "object" || value === null || parsed === null) return false;
  if (Array.isArray(parsed)) {
    if (!Array.isArray(value) || value.length !== parsed.length) return false;
    for (let at = 0; at < parsed.length; at++) if (!isSame(value[at], parsed[at])) return false;
    return true;
  }
  return !Array.isArray(value) && hasSameMembers(value as Members, parsed as Members);
}

type Members = Readonly<Record<string, unknown>>;

function hasSameMembers(value: Members, parsed: Members): boolean {
  let count = 0;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    if (!Object.hasOwn(parsed, name) || !isSame(member, parsed[name])) return false;
    count++;
  }
  return count === Object.keys(parsed).length;
}
