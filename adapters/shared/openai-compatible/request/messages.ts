import type { ChatMessage, ContentPart, ReasoningDetail } from "../../../../src/engine/api/message.ts";
import { failedTool } from "../../chat/fields.ts";
import { holdsOther, isTextOrImage, isTextPart, withTakenResults } from "../../chat/tool-media.ts";
import { takesSeals, withSeals } from "../call-seals.ts";
import { type RequestTarget, warnUnsupported } from "../compatibility-profile.ts";
import { shortCallIds } from "./call-ids.ts";
import { withTextFiles } from "./text-files.ts";
import { inStrictOrder } from "./turn-order.ts";

type OpenaiWireMessage = Record<string, unknown>;

/** Lists that vendors refuse when they are empty, and that mean nothing then. */
const lists: ReadonlySet<string> = new Set(["tool_calls", "annotations", "reasoning_details"]);

/** Fields that are written otherwise, or have no counterpart and need none. */
const ours: ReadonlySet<string> = new Set(["reasoning", "reasoning_details", "is_error", "text_blocks"]);

/** What a turn of the model may hold in place of content. */
const alternatives = ["tool_calls", "function_call", "audio", "refusal", "reasoning_details"];

/** The vendor's messages. A message that needs no change is passed on as it is; none is changed in place. */
export function messagesToWire(messages: readonly ChatMessage[], model: string, to: RequestTarget): readonly unknown[] {
  const isSealed = takesSeals(model);
  const readable = withTextFiles(messages.map((message) => withSeals(message, isSealed)));
  const raw = withResults(readable, to);
  return inStrictOrder(
    raw.map((message) => withContent(messageToWire(message, to))),
    model,
    to,
  );
}

/** No vendor takes files of tools, and some nothing but text. */
function withResults(messages: readonly ChatMessage[], to: RequestTarget): readonly ChatMessage[] {
  const { provider, dialect } = to;
  const takes = dialect.hasTextTools ? isTextPart : isTextOrImage;
  if (!messages.some((message) => holdsOther(message, { takes }))) return messages;
  const warn = (warning: string) => to.warn(warning);
  return withTakenResults(messages, { provider, takes, warn }).map(({ message }) => message);
}

/** A turn of the model without text and calls, as one that was interrupted while it thought, has an empty text: null is refused there. */
function withContent(wire: OpenaiWireMessage): OpenaiWireMessage {
  if (wire.role !== "assistant" || (wire.content !== null && wire.content !== undefined)) return wire;
  return alternatives.some((field) => wire[field] !== undefined) ? wire : { ...wire, content: "" };
}

function messageToWire(message: ChatMessage, to: RequestTarget): OpenaiWireMessage {
  const { dialect } = to;
  if (message.role !== "developer" && isText(message)) return message;
  const wire: OpenaiWireMessage = {};
  for (const [field, value] of Object.entries(message)) {
    if (value === undefined || saysNothing(field, value)) continue;
    if (ours.has(field)) continue;
    if (dialect.unsupportedInMessages?.includes(field)) warnUnsupported(to, `messages[].${field}`);
    else wire[field] = value;
  }
  if (message.role === "developer" && dialect.lacksDeveloperRole) wire.role = "system";
  if (Array.isArray(message.content)) wire.content = partsToWire(withoutPlaces(message.content), to);
  if (message.is_error) wire.content = failedContent(wire.content);
  if (message.tool_calls?.some((call) => call.index !== undefined)) wire.tool_calls = message.tool_calls.map(unindexed);
  if (dialect.hasShortCallIds) Object.assign(wire, shortCallIds(wire));
  return message.reasoning || message.reasoning_details?.length ? withReasoning(wire, message, to) : wire;
}

/** The vendor has no word for a tool that failed: the text says it. */
function failedContent(content: unknown): unknown {
  return Array.isArray(content) ? [{ type: "text", text: failedTool }, ...content] : `${failedTool}\n${content ?? ""}`;
}

/** True for a message of a role and a text. */
function isText(message: ChatMessage): boolean {
  for (const field in message) if (field !== "role" && field !== "content") return false;
  return typeof message.content === "string";
}

function saysNothing(field: string, value: unknown): boolean {
  if (value === null) return field !== "content"; // of others null means that they are absent
  return Array.isArray(value) && value.length === 0 && lists.has(field);
}

/** `index` belongs to streams; history that was gathered from one may still have it. */
function unindexed({ index: _index, ...call }: NonNullable<ChatMessage["tool_calls"]>[number]): unknown {
  return call;
}

/** Parts without their places, which the vendor has no field for; a lone text that had one is a string again. */
function withoutPlaces(parts: readonly ContentPart[]): readonly ContentPart[] | string {
  if (parts.every(({ index }) => index === undefined)) return parts;
  const [only, ...others] = parts.map(({ index: _index, ...part }) => part as ContentPart);
  const isLone = only?.type === "text" && others.length === 0 && only.cache_control === undefined;
  return isLone ? only.text : [...(only === undefined ? [] : [only]), ...others];
}

function partsToWire(parts: readonly ContentPart[] | string, to: RequestTarget): readonly unknown[] | string {
  if (typeof parts === "string") return parts;
  const plain = parts.some(isReference) ? parts.map(withoutReference) : parts;
  if (to.dialect.keepsCacheControl || !plain.some((part) => part.cache_control !== undefined)) return plain;
  return plain.map((part) => withoutCacheControl(part, to));
}

function isReference(part: ContentPart): boolean {
  return part.type === "text" && part.tool_reference !== undefined;
}

/** A tool that a search found is said by the text. */
function withoutReference(part: ContentPart): ContentPart {
  if (part.type !== "text") return part;
  const { tool_reference: _name, ...text } = part;
  return text;
}

/** A part or tool without its cache mark, with a warning. */
export function withoutCacheControl<Marked extends { cache_control?: unknown }>(
  marked: Marked,
  to: RequestTarget,
): unknown {
  if (marked.cache_control === undefined) return marked;
  warnUnsupported(to, "cache_control");
  const { cache_control: _mark, ...rest } = marked;
  return rest;
}

function withReasoning(wire: OpenaiWireMessage, message: ChatMessage, to: RequestTarget): OpenaiWireMessage {
  const { reasoning, reasoning_details: details } = message;
  const style = to.dialect.history;
  if (style === "kept")
    return { ...wire, ...(reasoning ? { reasoning } : {}), ...(details ? { reasoning_details: details } : {}) };
  if (details?.length && (!reasoning || details.some(isVouchedFor))) {
    warnUnsupported(to, "messages[].reasoning_details");
  }
  if (style === "dropped" && reasoning) warnUnsupported(to, "messages[].reasoning");
  if (style === "dropped" || !reasoning) return wire;
  if (style === "thinking") return { ...wire, content: [thinkingPart(reasoning), ...contentParts(wire.content)] };
  return { ...wire, [style]: reasoning };
}

/** True for a detail that is more than its text, which `reasoning` says, too. */
function isVouchedFor({ signature, data }: ReasoningDetail): boolean {
  return Boolean(signature) || Boolean(data);
}

function thinkingPart(text: string): unknown {
  return { type: "thinking", thinking: [{ type: "text", text }] };
}

function contentParts(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
