import { parseBounded } from "../runtime/json/json-scan.ts";

/** Lenient readers of the values in a vendor's answer, any of which may be absent, null or of another type than documented. */

/** True for a JSON object, as opposed to a list, a scalar or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text that is part of the content of an answer; empty when absent. Throws `TypeError` for any other type, which makes the answer unreadable. */
export function textOf(raw: unknown): string {
  if (typeof raw === "string") return raw;
  if (raw === undefined || raw === null) return "";
  throw new TypeError(`A text of an answer is of type ${typeof raw}.`);
}

/** A text that only describes an answer, such as an id, a title or an address; `undefined` when it is empty or not a text. */
export function optionalText(raw: unknown): string | undefined {
  return typeof raw === "string" && raw !== "" ? raw : undefined;
}

/** A whole number above 0, such as a size or a time; `undefined` for anything else. */
export function sizeOf(raw: unknown): number | undefined {
  return Number.isSafeInteger(raw) && (raw as number) > 0 ? (raw as number) : undefined;
}

/** An index of a list, or `fallback` where the vendor gives none. */
export function indexOr(fallback: number, raw: unknown): number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0 ? (raw as number) : fallback;
}

/** The texts of a list; `undefined` for anything that is not a list. */
export function textsOf(raw: unknown): string[] | undefined {
  return Array.isArray(raw) ? raw.filter((each) => typeof each === "string") : undefined;
}

/** The value of a JSON text; `undefined` for any other text, and for one that is nested too deep to be walked. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}
