import { parseArguments } from "../../../ports/exact-json.ts";

/** True for the text of a whole JSON object: nothing but white space can follow. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && parseArguments(text) !== undefined;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
