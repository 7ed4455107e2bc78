/** `JSON.rawJSON` and the source text in a reviver, which Node has and TypeScript's library does not describe yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

/** JSON in which numbers keep their text when they are written again, where `isKept` says so; throws what `JSON.parse` throws. */
export function parseExactly(text: string, isKept: (value: number, source: string) => boolean): unknown {
  return exact.parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isKept(value, source) ? exact.rawJSON(source) : value;
  });
}

/** Digits in a row that a whole number may not survive. */
const longInteger = /[[:,\s-]\d{16}/;

/**
 * JSON or `undefined`, of a vendor that tells the arguments of calls as objects: whole numbers too long for JavaScript, such as 64-bit
 * identifiers, keep all their digits when they are written again. All other numbers are numbers.
 */
export function parseWithIds(body: string): unknown {
  try {
    return longInteger.test(body) ? parseExactly(body, isLongInteger) : JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isLongInteger(value: number, source: string): boolean {
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
}
