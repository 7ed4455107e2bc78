/** `JSON.rawJSON` and the source text in a reviver, which Node has and TypeScript's library does not describe yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Digits in a row that a number may not survive. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;

/**
 * The arguments of a tool call as the object that native interfaces want: no text is an empty object, `undefined` is what is not a
 * JSON object. Numbers too long for JavaScript, such as 64-bit identifiers, keep all their digits when written again.
 */
export function parseArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = longNumber.test(text) ? exact.parse(text, keepDigits) : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value;
}
