import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../../../src/engine/api/message.ts";
import { customCallOf } from "../../../src/engine/dialects/custom-tools.ts";
import { reasoningFormat } from "../../../src/engine/dialects/openai/responses-format.ts";
import { inOrder, type Positioned, textsOf } from "../../../src/engine/dialects/order.ts";
import { failedTool } from "../chat/fields.ts";
import { type Warned, warnUnsupported } from "../openai-compatible/compatibility-profile.ts";

type InputItem = Record<string, unknown>;

/** The conversation as items of the Responses API. */
export function messagesToItems(messages: readonly ChatMessage[], to: Warned): InputItem[] {
  const customIds = new Set<string>();
  return messages.flatMap((message) => {
    if (message.role === "assistant") return turnToItems(message, customIds, to);
    if (message.role === "tool") return [resultToItem(message, customIds, to)];
    return [{ role: message.role, content: contentToWire(message.content ?? "", to) }];
  });
}

/** A turn of the model: its thoughts, texts and calls in order; texts that follow each other are one message. */
function turnToItems(message: ChatMessage, customIds: Set<string>, to: Warned): InputItem[] {
  const calls = (message.tool_calls ?? []).map((call) => ({ index: call.index, block: callToItem(call, customIds) }));
  const items: InputItem[] = [];
  for (const item of inOrder({ thoughts: thoughtsOf(message, to), texts: textParts(message), calls })) {
    const last = items.at(-1);
    if (!isTextPart(item)) items.push(item);
    else if (last?.role === "assistant") (last.content as InputItem[]).push(item);
    else items.push({ role: "assistant", content: [item] });
  }
  return items;
}

function isTextPart({ type }: InputItem): boolean {
  return type === "output_text" || type === "refusal";
}

function textParts(message: ChatMessage): Positioned<InputItem>[] {
  const { refusal } = message;
  const texts = textsOf(message).flatMap(({ index, block }): Positioned<InputItem>[] => {
    if (block.type === "text")
      return block.text === "" ? [] : [{ index, block: { type: "output_text", text: block.text } }];
    return block.type === "refusal" ? [{ index, block: { type: "refusal", refusal: block.refusal } }] : [];
  });
  return refusal ? [...texts, { index: Number.MAX_SAFE_INTEGER, block: { type: "refusal", refusal } }] : texts;
}

/** The vendor's own thoughts; those of others, and text without a proof, stay behind. */
function thoughtsOf({ reasoning, reasoning_details: details = [] }: ChatMessage, to: Warned) {
  const own = new Map<string, Positioned<InputItem>>();
  for (const [at, detail] of details.entries()) {
    const { id, data, index = at, format } = detail;
    if (format !== reasoningFormat || !data) warnUnsupported(to, "messages[].reasoning_details");
    else own.set(id ?? `${at}`, { index, block: thoughtToItem(detail) });
  }
  if (reasoning && details.length === 0) warnUnsupported(to, "messages[].reasoning");
  return [...own.values()].sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
}

function thoughtToItem({ id, data, summary }: ReasoningDetail): InputItem {
  const texts = summary ? [{ type: "summary_text", text: summary }] : [];
  return { type: "reasoning", ...(id ? { id } : {}), summary: texts, encrypted_content: data };
}

function callToItem(call: ToolCall, customIds: Set<string>): InputItem {
  const { id = "", function: called } = call;
  const custom = customCallOf(call);
  if (custom) customIds.add(id);
  return custom
    ? { type: "custom_tool_call", call_id: id, ...custom }
    : { type: "function_call", call_id: id, name: called?.name ?? "", arguments: called?.arguments ?? "" };
}

function resultToItem(message: ChatMessage, customIds: ReadonlySet<string>, to: Warned): InputItem {
  const { tool_call_id: id = "", content, is_error: hasFailed } = message;
  const written = typeof content === "string" ? content : contentToWire(content ?? "", to);
  const failed = Array.isArray(written)
    ? [{ type: "input_text", text: failedTool }, ...written]
    : `${failedTool}\n${written}`;
  const type = customIds.has(id) ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: id, output: hasFailed ? failed : written };
}

function contentToWire(content: string | readonly ContentPart[], to: Warned): string | InputItem[] {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.cache_control !== undefined) warnUnsupported(to, "cache_control");
    return partToWire(part);
  });
}

function partToWire(part: ContentPart): InputItem {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image_url":
      return { type: "input_image", image_url: part.image_url.url, detail: part.image_url.detail ?? "auto" };
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    case "refusal":
      return { type: "input_text", text: part.refusal };
    case "file":
      return { type: "input_file", ...part.file };
  }
}
