/** `JSON.rawJSON` and the source text in a reviver, which Node has and TypeScript's library does not describe yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Digits in a row that a number may not survive. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;

/**
 * The arguments of a call as the object that a dialect wants; no text is an empty one, `undefined` is what is none. Numbers too long
 * for JavaScript keep all their digits when the object is written as JSON. (adapters/shared/chat/arguments.ts is the same towards
 * providers; neither layer may import the other.)
 */
export function readArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = longNumber.test(text) ? parseExactly(text, isChanged) : JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // the caller says what becomes of arguments that are none
  }
}

/** True for the text of a whole JSON object: nothing but white space can follow. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && readArguments(text) !== undefined;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON in which numbers keep their text when they are written again, where `isKept` says so; throws what `JSON.parse` throws. */
export function parseExactly(text: string, isKept: (value: number, source: string) => boolean): unknown {
  return exact.parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isKept(value, source) ? exact.rawJSON(source) : value;
  });
}

function isChanged(value: number, source: string): boolean {
  return String(value) !== source;
}
