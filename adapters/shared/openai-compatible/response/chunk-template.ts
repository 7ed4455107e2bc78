import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { isRecord, parseJson } from "../../../../src/engine/dialects/wire-values.ts";

/** Reads an event whose like was read before: most events of a stream differ in one text only. */
export interface ChunkTemplate {
  /** The chunk of an event, when it is the last pattern with another text; no other field is looked at. */
  read(data: string): ChatChunk | undefined;
  /** Takes what an event was read as for the pattern of those to come, where it brings nothing but text. */
  learn(data: string, chunk: ChatChunk): void;
}

/** An event in three parts: what stands before and behind the JSON string of its text. */
interface Pattern {
  readonly before: string;
  readonly after: string;
  readonly field: TextField;
  readonly chunk: ChatChunk;
}

type TextField = "content" | "reasoning";

/** A vendor that changes more than the text in each event is not tried for ever. */
const maxPatterns = 4;

/**
 * Parsing costs an event half of all that is done with it, and a JSON string in the place of another changes nothing else of what was
 * parsed (a pattern is tried once with a text of our own to see that it is so).
 */
export function chunkTemplate(): ChunkTemplate {
  let pattern: Pattern | undefined;
  let patterns = 0;
  return {
    read(data) {
      if (pattern === undefined) return undefined;
      const { before, after } = pattern;
      const end = data.length - after.length;
      // `slice` and `===`, which compare words: `startsWith` and `endsWith` go character by character
      if (end - before.length < 2 || data.slice(end) !== after || data.slice(0, before.length) !== before)
        return undefined;
      const text = readText(data.slice(before.length, end));
      return text === undefined ? undefined : withText(pattern, text);
    },
    learn(data, chunk) {
      if (patterns >= maxPatterns) return;
      const found = patternOf(data, chunk);
      if (found === undefined) return;
      pattern = found;
      patterns += 1;
    },
  };
}

/** The value of one JSON string; undefined when it is anything else, or nothing would be said by it. */
function readText(literal: string): string | undefined {
  if (literal.charCodeAt(0) !== quote || literal.length <= 2) return undefined;
  if (literal.indexOf('"', 1) === literal.length - 1 && !needsReading.test(literal)) return literal.slice(1, -1);
  const value = parseJson(literal);
  return typeof value === "string" ? value : undefined;
}

const quote = 34;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string, and so does its parser
const needsReading = /[\\\u0000-\u001f]/;

function withText({ chunk, field }: Pattern, text: string): ChatChunk {
  const [choice] = chunk.choices as [ChatChunk["choices"][number]];
  const delta = field === "content" ? { content: text } : { reasoning: text };
  return { ...chunk, choices: [{ ...choice, delta }] };
}

function patternOf(data: string, chunk: ChatChunk): Pattern | undefined {
  const field = onlyText(chunk);
  if (field === undefined) return undefined;
  const raw = parseJson(data);
  const key = keyOf(raw, chunk.choices[0]?.delta[field]);
  const at = key === undefined ? -1 : data.indexOf(`"${key}":`);
  const begin = at === -1 ? -1 : data.indexOf('"', at + `"${key}":`.length);
  const end = begin === -1 ? -1 : endOfString(data, begin);
  if (key === undefined || end === -1) return undefined;
  const pattern = { before: data.slice(0, begin), after: data.slice(end), field, chunk };
  return keepsAllElse(pattern, key, raw) ? pattern : undefined;
}

/** The field of a chunk that is one text and nothing else; whatever else there is may change the state of who reads it. */
function onlyText({ choices, usage }: ChatChunk): TextField | undefined {
  const [choice] = choices;
  if (choices.length !== 1 || choice === undefined || usage || choice.finish_reason !== null) return undefined;
  const [field, ...others] = Object.keys(choice.delta);
  if (others.length > 0 || Object.keys(choice).length > 3) return undefined;
  return field === "content" || field === "reasoning" ? field : undefined;
}

/** The vendor's name of the field that holds the text. */
function keyOf(raw: unknown, text: unknown): string | undefined {
  const delta = deltaOf(raw);
  const keys = Object.keys(delta ?? {}).filter((key) => delta?.[key] === text && textKeys.has(key));
  return keys.length === 1 ? keys[0] : undefined;
}

const textKeys: ReadonlySet<string> = new Set(["content", "reasoning_content", "reasoning"]);

function deltaOf(raw: unknown): Record<string, unknown> | undefined {
  const choice = isRecord(raw) && Array.isArray(raw.choices) ? (raw.choices[0] as unknown) : undefined;
  return isRecord(choice) && isRecord(choice.delta) ? choice.delta : undefined;
}

/** Where the JSON string that begins at `begin` ends. */
function endOfString(data: string, begin: number): number {
  for (let at = begin + 1; at < data.length; at++) {
    const code = data.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
  }
  return -1;
}

const backslash = 92;

/** True when another text in the pattern changes that text, and nothing else of what is parsed. */
function keepsAllElse({ before, after }: Pattern, key: string, raw: unknown): boolean {
  const probe = parseJson(`${before}"another text"${after}`);
  const delta = deltaOf(probe);
  if (delta?.[key] !== "another text") return false;
  delta[key] = deltaOf(raw)?.[key];
  return JSON.stringify(probe) === JSON.stringify(raw);
}
