/** `JSON.rawJSON` and the source text in a reviver, which Node has and TypeScript's library does not describe yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Digits in a row that a number may not survive, and that a whole number may not. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;
const longInteger = /[[:,\s-]\d{16}/;

/**
 * The arguments of a tool call as the object that a dialect wants: no text is an empty one, `undefined` is what is no JSON object.
 * Numbers too long for JavaScript, such as 64-bit identifiers, keep all their digits when they are written again.
 */
export function parseArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value = longNumber.test(text) ? parseExactly(text, isChanged) : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // the caller says what becomes of arguments that are none
  }
}

/** True for a text of JSON in which whole numbers may be too long for JavaScript: {@link parseWithIds} keeps them. */
export function mayHoldIds(text: string): boolean {
  return longInteger.test(text);
}

/**
 * JSON or `undefined`, of who tells the arguments of calls as objects: whole numbers too long for JavaScript, such as 64-bit
 * identifiers, keep all their digits when they are written again. All other numbers are numbers.
 */
export function parseWithIds(text: string): unknown {
  try {
    return mayHoldIds(text) ? parseExactly(text, isLongInteger) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for a number that is kept as its text: what looks through a value must leave it alone. */
export function isKeptNumber(value: unknown): boolean {
  return exact.isRawJSON(value);
}

/** JSON in which numbers keep their text when they are written again, where `isKept` says so; throws what `JSON.parse` throws. */
function parseExactly(text: string, isKept: (value: number, source: string) => boolean) {
  return exact.parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isKept(value, source) ? exact.rawJSON(source) : value;
  }) as Record<string, unknown> | null; // or any other value
}

function isChanged(value: number, source: string): boolean {
  return String(value) !== source;
}

function isLongInteger(value: number, source: string): boolean {
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
}
