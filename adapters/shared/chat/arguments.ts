import { parseExactly } from "../http/exact-json.ts";

/** Digits in a row that a number may not survive. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;

/**
 * The arguments of a tool call as the object that native interfaces want: no text is an empty object, `undefined` is what is not a
 * JSON object. Numbers too long for JavaScript, such as 64-bit identifiers, keep all their digits when written again.
 */
export function parseArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = longNumber.test(text) ? parseExactly(text, isChanged) : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isChanged(value: number, source: string): boolean {
  return String(value) !== source;
}
