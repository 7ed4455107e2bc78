import type { Exchange } from "../../endpoint.ts";
import { readInput, type Source } from "../../source.ts";
import { parseExactly } from "./arguments.ts";

/** Digits in a row that a whole number may not survive. */
const longInteger = /[[:,\s-]\d{16}/;

/**
 * The body of a request whose calls have arguments as objects: whole numbers too long for JavaScript, such as 64-bit identifiers, keep
 * all their digits when they are written again. All other numbers are numbers.
 */
export async function readObjects(exchange: Exchange, source: Source): Promise<unknown> {
  let text = "";
  const body = await readInput(exchange, source, (read) => {
    text = read;
  });
  return longInteger.test(text) ? parseExactly(text, isLongInteger) : body;
}

function isLongInteger(value: number, source: string): boolean {
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
}
