import { isRecord } from "../http/fault.ts";

/** The fields of a message or a delta as we name them, tool calls still as the vendor sends them. */
export interface MessageFields {
  [field: string]: unknown;
  content?: string;
  reasoning?: string;
  tool_calls?: unknown[];
}

const lists: ReadonlySet<string> = new Set(["tool_calls", "annotations", "reasoning_details"]);

/**
 * A vendor's message or delta: `reasoning_content` and thinking parts are `reasoning`, a list of content parts is their text,
 * nulls and empty lists are left out, everything else stays.
 */
export function readMessageFields(told: Record<string, unknown>): MessageFields {
  const fields: MessageFields = {};
  for (const field in told) {
    const value = told[field];
    if (value === null || value === undefined) continue;
    if (field === "content") addContent(fields, value);
    else if (field === "reasoning_content" || field === "reasoning") addReasoning(fields, value);
    else if (!lists.has(field)) fields[field] = value;
    else if (Array.isArray(value) && value.length > 0) fields[field] = value;
  }
  return fields;
}

function addContent(fields: MessageFields, content: unknown): void {
  if (typeof content === "string") {
    fields.content = content;
    return;
  }
  if (!Array.isArray(content)) return;
  for (const part of content.filter(isRecord)) {
    if (typeof part.text === "string") fields.content = (fields.content ?? "") + part.text;
    else if (part.type === "thinking") fields.reasoning = (fields.reasoning ?? "") + thinkingText(part.thinking);
  }
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
