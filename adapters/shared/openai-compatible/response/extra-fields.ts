import { isRecord, optionalText } from "../../../../src/engine/dialects/wire-values.ts";

type FieldReader = (raw: unknown) => unknown;

const whole: FieldReader = (raw) => (Number.isSafeInteger(raw) ? raw : undefined);
const number: FieldReader = (raw) => (Number.isFinite(raw) ? raw : undefined);
const kinds: ReadonlySet<unknown> = new Set(["reasoning.summary", "reasoning.encrypted", "reasoning.text"]);
const kind: FieldReader = (raw) => (kinds.has(raw) ? raw : undefined);

/** A record without nulls and without members that are something else than they should be; members of other names stay. */
function recordOf(members: Readonly<Record<string, FieldReader>>): FieldReader {
  return (raw) => {
    if (!isRecord(raw)) return undefined;
    const stored: Record<string, unknown> = {};
    for (const name in raw) {
      const value = Object.hasOwn(members, name) ? members[name]?.(raw[name]) : raw[name];
      if (value !== null && value !== undefined) stored[name] = value;
    }
    return stored;
  };
}

/** The entries of a list that are what they should be; none of what is no list. */
function listOf(entry: FieldReader): (raw: unknown) => unknown[] {
  return (raw) => (Array.isArray(raw) ? raw.map(entry).filter((each) => each !== undefined) : []);
}

/** The same, without an empty list. */
function someOf(entry: FieldReader): FieldReader {
  const read = listOf(entry);
  return (raw) => {
    const entries = read(raw);
    return entries.length === 0 ? undefined : entries;
  };
}

/** A record that is none without its type. */
function typed(read: FieldReader): FieldReader {
  return (raw) => {
    const record = read(raw);
    return isRecord(record) && record.type !== undefined ? record : undefined;
  };
}

const page = {
  title: optionalText,
  url: optionalText,
  date: optionalText,
  last_updated: optionalText,
  snippet: optionalText,
  source: optionalText,
};
const video = {
  url: optionalText,
  thumbnail_url: optionalText,
  thumbnail_width: whole,
  thumbnail_height: whole,
  duration: number,
};
const cited = { start_index: whole, end_index: whole, title: optionalText, url: optionalText, type: optionalText };
const thought = { id: optionalText, index: whole, type: kind, summary: text, text, signature: text, data: text };

function text(raw: unknown): string | undefined {
  return typeof raw === "string" ? raw : undefined;
}

/** A citation, or the address in one that is an object. */
function addressOf(raw: unknown): unknown {
  return text(isRecord(raw) ? raw.url : raw);
}

/**
 * What stands beside the content of an answer has the form of our fields, or is left out: it is no reason to do without the answer.
 * These are the fields beside the choices.
 */
export const extraFields: ReadonlyMap<string, FieldReader> = new Map<string, FieldReader>([
  ["service_tier", text],
  ["system_fingerprint", text],
  ["search_results", listOf(recordOf(page))],
  ["videos", listOf(recordOf(video))],
  ["citations", listOf(addressOf)],
]);

/** The fields of a message, or of a delta, other than its text. */
export const extraTextFields: ReadonlyMap<string, FieldReader> = new Map<string, FieldReader>([
  ["role", text],
  ["name", text],
  ["tool_call_id", text],
  ["refusal", text],
  ["audio", recordOf({ id: optionalText, data: text, transcript: text, expires_at: whole })],
  ["annotations", someOf(typed(recordOf({ type: optionalText, url_citation: recordOf(cited) })))],
  ["reasoning_details", someOf(typed(recordOf(thought)))],
]);
