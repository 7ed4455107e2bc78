import { asideOf } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";

type Read = (told: unknown) => unknown;

const whole: Read = (told) => (Number.isSafeInteger(told) ? told : undefined);
const number: Read = (told) => (Number.isFinite(told) ? told : undefined);
const kinds: ReadonlySet<unknown> = new Set(["reasoning.summary", "reasoning.encrypted", "reasoning.text"]);
const kind: Read = (told) => (kinds.has(told) ? told : undefined);

/** A record without nulls and without members that are something else than they should be; members of other names stay. */
function recordOf(members: Readonly<Record<string, Read>>): Read {
  return (told) => {
    if (!isRecord(told)) return undefined;
    const kept: Record<string, unknown> = {};
    for (const name in told) {
      const value = Object.hasOwn(members, name) ? members[name]?.(told[name]) : told[name];
      if (value !== null && value !== undefined) kept[name] = value;
    }
    return kept;
  };
}

/** The entries of a list that are what they should be; none of what is no list. */
function listOf(entry: Read): (told: unknown) => unknown[] {
  return (told) => (Array.isArray(told) ? told.map(entry).filter((each) => each !== undefined) : []);
}

/** The same, where an empty list says nothing. */
function someOf(entry: Read): Read {
  const read = listOf(entry);
  return (told) => {
    const entries = read(told);
    return entries.length === 0 ? undefined : entries;
  };
}

/** A record that is none without its type. */
function typed(read: Read): Read {
  return (told) => {
    const record = read(told);
    return isRecord(record) && record.type !== undefined ? record : undefined;
  };
}

const page = { title: asideOf, url: asideOf, date: asideOf, last_updated: asideOf, snippet: asideOf, source: asideOf };
const video = {
  url: asideOf,
  thumbnail_url: asideOf,
  thumbnail_width: whole,
  thumbnail_height: whole,
  duration: number,
};
const cited = { start_index: whole, end_index: whole, title: asideOf, url: asideOf, type: asideOf };
const thought = { id: asideOf, index: whole, type: kind, summary: text, text, signature: text, data: text };

function text(told: unknown): string | undefined {
  return typeof told === "string" ? told : undefined;
}

/** A citation, or the address in one that is an object. */
function addressOf(told: unknown): unknown {
  return text(isRecord(told) ? told.url : told);
}

/**
 * What stands beside the content of an answer has the form of our fields, or is left out: it is no reason to do without the answer.
 * These are the fields beside the choices.
 */
export const besideChoices: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["service_tier", text],
  ["system_fingerprint", text],
  ["search_results", listOf(recordOf(page))],
  ["videos", listOf(recordOf(video))],
  ["citations", listOf(addressOf)],
]);

/** Those beside the text of a message, or of what is added to it. */
export const besideText: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["role", text],
  ["name", text],
  ["tool_call_id", text],
  ["refusal", text],
  ["audio", recordOf({ id: asideOf, data: text, transcript: text, expires_at: whole })],
  ["annotations", someOf(typed(recordOf({ type: asideOf, url_citation: recordOf(cited) })))],
  ["reasoning_details", someOf(typed(recordOf(thought)))],
]);
