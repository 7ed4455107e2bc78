import type { Annotation, CustomToolCall, FunctionToolCall, ReasoningDetail } from "../../../src/engine/api/message.ts";
import { reasoningFormat } from "../../../src/engine/dialects/openai/responses-format.ts";
import { isRecord, optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";

type OutputItem = Record<string, unknown>;

/** The text of a thought: its summaries, or what open models say in full. */
export function thoughtOf({ summary, content }: OutputItem): string {
  const parts = [summary, content].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
  return parts.map(({ text }) => textOf(text)).join("\n\n");
}

/** What of a thought must go back to the vendor. */
export function sealOf({ id, encrypted_content: data }: OutputItem): Partial<ReasoningDetail> {
  const own = optionalText(id);
  const sealed = optionalText(data);
  return { format: reasoningFormat, ...(own ? { id: own } : {}), ...(sealed ? { data: sealed } : {}) };
}

/** A reasoning item as a detail; `index` is its place in the message. */
export function detailOf(item: OutputItem, index: number): ReasoningDetail {
  const summary = thoughtOf(item);
  const type = summary === "" ? "reasoning.encrypted" : "reasoning.summary";
  return { type, index, ...(summary === "" ? {} : { summary }), ...sealOf(item) };
}

/** A piece of a thought's summary; `index` is its place in the message. */
export function summaryDetail(index: number, summary: string): ReasoningDetail {
  return { type: "reasoning.summary", index, summary, format: reasoningFormat };
}

/** A call of the caller's tools. */
export function callOf({
  type,
  call_id: id,
  name,
  arguments: text,
  input,
}: OutputItem): FunctionToolCall | CustomToolCall {
  const called = textOf(name);
  if (called === "") throw new TypeError("A tool call names no tool.");
  return type === "custom_tool_call"
    ? { id: textOf(id), type: "custom", custom: { name: called, input: textOf(input) } }
    : { id: textOf(id), type: "function", function: { name: called, arguments: textOf(text) } };
}

/** True for an item that is a call of the caller's tools. */
export function isCall({ type }: OutputItem): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** A citation of a page in our form; others have none. */
export function annotationOf(raw: unknown): Annotation[] {
  if (!isRecord(raw) || raw.type !== "url_citation") return [];
  const { type: _type, ...page } = raw;
  return [{ type: "url_citation", url_citation: page as NonNullable<Annotation["url_citation"]> }]; // read leniently, as chat's
}
