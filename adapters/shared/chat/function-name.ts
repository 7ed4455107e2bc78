import { textOf } from "../../../src/engine/dialects/wire-values.ts";

/** The name of the function that a vendor's call names; stumbles where it names none: no caller could execute half a call. */
export function functionName(name: unknown): string {
  const text = textOf(name);
  if (text === "") throw new TypeError("A tool call names no function.");
  return text;
}
