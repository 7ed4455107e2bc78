import { isRecord, textOf } from "../../../../src/engine/dialects/wire-values.ts";
import { sealsOf } from "../call-seals.ts";
import { extraTextFields } from "./extra-fields.ts";

/** The fields of a message or a delta as we name them, tool calls still as the vendor sends them. */
export interface MessageFields {
  [field: string]: unknown;
  content?: string;
  reasoning?: string;
  tool_calls?: unknown[];
}

/**
 * A vendor's message or delta: `reasoning_content` and thinking parts are `reasoning`, a list of content parts is their text,
 * nulls, empty lists and what is none of our fields' forms are left out, everything else stays. Stumbles over a message that is none,
 * a content that is no text, and tool calls that are no list.
 */
export function readMessageFields(raw: unknown): MessageFields {
  const fields: MessageFields = {};
  if (raw === undefined || raw === null) return fields;
  if (!isRecord(raw)) throw new TypeError(`A message is of type ${typeof raw}.`);
  for (const field in raw) {
    const value = raw[field];
    if (value === null || value === undefined) continue;
    if (field === "content") addContent(fields, value);
    else if (field === "reasoning_content" || field === "reasoning") addReasoning(fields, value);
    else if (field === "tool_calls") addToolCalls(fields, value);
    else addOther(fields, field, value);
  }
  return fields;
}

/** Adds the seals of its calls, once those have their identifiers. */
export function addSeals(fields: MessageFields): void {
  if (fields.tool_calls === undefined) return;
  const seals = sealsOf(fields.tool_calls);
  if (seals.length === 0) return;
  const details = Array.isArray(fields.reasoning_details) ? fields.reasoning_details : [];
  fields.reasoning_details = [...details, ...seals];
}

function addContent(fields: MessageFields, content: unknown): void {
  if (!Array.isArray(content)) {
    fields.content = textOf(content);
    return;
  }
  for (const part of content.filter(isRecord)) {
    if (typeof part.text === "string") fields.content = (fields.content ?? "") + part.text;
    else if (part.type === "thinking") fields.reasoning = (fields.reasoning ?? "") + thinkingText(part.thinking);
  }
}

function addToolCalls(fields: MessageFields, calls: unknown): void {
  if (!Array.isArray(calls)) throw new TypeError(`Tool calls are of type ${typeof calls}.`);
  if (calls.length > 0) fields.tool_calls = calls;
}

function addOther(fields: MessageFields, field: string, value: unknown): void {
  const read = extraTextFields.get(field);
  const checked = read === undefined ? value : read(value);
  if (checked !== undefined) fields[field] = checked;
}

/** Some vendors send the text under both names for a while. */
function addReasoning(fields: MessageFields, reasoning: unknown): void {
  if (typeof reasoning === "string" && reasoning !== "") fields.reasoning ??= reasoning;
}

function thinkingText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
