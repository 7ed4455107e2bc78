import type { TextPlace } from "../../ports/middleware/middleware.ts";
import { jsonTexts, withTexts } from "../../runtime/json/json-texts.ts";

/** Passes one text; resolves with the one to send in its place. */
export type PassText = (text: string, place: TextPlace) => Promise<string>;

/**
 * Passes the strings, names and numbers in JSON text, each as what a program reads there, whatever its spelling (`b\u0061d`); all that is
 * not changed stays byte for byte. Text that is no JSON is passed as it is.
 */
export async function passJson(json: string, pass: PassText, place: TextPlace): Promise<string> {
  const texts = jsonTexts(json);
  if (!texts) return pass(json, place);
  const passed: string[] = [];
  for (const { text } of texts) passed.push(text === "" ? text : await pass(text, place));
  return withTexts(json, texts, passed);
}

/** Names of members whose values are words of the format, not of a model. */
const formal: ReadonlySet<string> = new Set(["type", "id", "index", "role", "tool_call_id", "format"]);

/** A copy of JSON-like data with its texts passed. Symbols, which other layers attach, are not copied. */
export async function passDeep<Value>(value: Value, pass: PassText, place: TextPlace): Promise<Value> {
  if (typeof value === "string") return (value === "" ? value : await pass(value, place)) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await passDeep(item, pass, place));
    return items as Value;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name, formal.has(name) && typeof member === "string" ? member : await passDeep(member, pass, place)]);
  return Object.fromEntries(members) as Value;
}
