import { parseArguments } from "../../../engine/runtime/json/exact-json.ts";

/** True for the text of a whole JSON object: nothing but white space can follow. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && parseArguments(text) !== undefined;
}
