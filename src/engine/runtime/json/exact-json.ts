import { parseBounded } from "./json-scan.ts";

/** `JSON.rawJSON` and the source text in a reviver, which Node has and TypeScript's library does not describe yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Numbers, and whole numbers, that may lose digits. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;
const longInteger = /[[:,\s-]\d{16}/;

/**
 * The arguments of a tool call as the object that a dialect wants: no text and `null`, which some vendors write for no arguments, are
 * an empty one; `undefined` is what is no JSON object.
 * Numbers too long for JavaScript, such as 64-bit identifiers, keep all their digits when they are written again.
 */
export function parseArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || isNoArguments(text)) return {};
  try {
    const value = parseBounded(text, longNumber.test(text) ? keepingChanged : undefined);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the caller says what becomes of arguments that are none
  }
}

function isNoArguments(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null";
}

/** True for JSON text whose whole numbers may be too long for JavaScript: {@link parseWithIds} keeps them. */
export function mayHoldIds(text: string): boolean {
  return longInteger.test(text);
}

/**
 * JSON or `undefined`, for callers that report call arguments as objects: whole numbers too long for JavaScript, such as 64-bit
 * identifiers, keep all their digits when they are written again. All other numbers are numbers.
 */
export function parseWithIds(text: string): unknown {
  try {
    return parseBounded(text, mayHoldIds(text) ? keepingIds : undefined);
  } catch {
    return undefined;
  }
}

/** True for a number that is kept as its text: code that walks a value must leave it alone. */
export function isExactNumber(value: unknown): boolean {
  return exact.isRawJSON(value);
}

/** JSON whose numbers keep their text when written again, where `isRetained` says so; throws what `JSON.parse` throws. */
function parseExactly(text: string, isRetained: (value: number, source: string) => boolean) {
  return exact.parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isRetained(value, source)
      ? exact.rawJSON(source)
      : value;
  }) as Record<string, unknown> | null; // or any other value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const keepingChanged = (text: string) => parseExactly(text, isChanged);
const keepingIds = (text: string) => parseExactly(text, isLongInteger);

function isChanged(value: number, source: string): boolean {
  return String(value) !== source;
}

function isLongInteger(value: number, source: string): boolean {
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
}
