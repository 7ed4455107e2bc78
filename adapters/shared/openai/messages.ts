import type { ChatMessage, ContentPart, ReasoningDetail } from "../../../src/api/message.ts";
import { shortCallIds } from "./call-ids.ts";
import { type Addressee, warnUnsupported } from "./dialect.ts";
import { withTextResults } from "./tool-media.ts";

type WireMessage = Record<string, unknown>;

/** Lists that vendors refuse when they are empty, and that say nothing then. */
const lists: ReadonlySet<string> = new Set(["tool_calls", "annotations", "reasoning_details"]);
/** Fields whose null says nothing. */
const nullable: ReadonlySet<string> = new Set(["refusal", "audio", "reasoning"]);

/** The vendor's messages. A message that needs no change is passed on as it is; none is changed in place. */
export function messagesToWire(messages: readonly ChatMessage[], to: Addressee): readonly unknown[] {
  const told = to.dialect.hasTextTools ? withTextResults(messages, to) : messages;
  return told.map((message) => messageToWire(message, to));
}

function messageToWire(message: ChatMessage, to: Addressee): unknown {
  const { dialect } = to;
  if (message.role !== "developer" && isText(message)) return message;
  const wire: WireMessage = {};
  for (const [field, value] of Object.entries(message)) {
    if (value === undefined || saysNothing(field, value)) continue;
    if (field === "reasoning" || field === "reasoning_details") continue;
    if (dialect.unsupportedInMessages?.includes(field)) warnUnsupported(to, `messages[].${field}`);
    else wire[field] = value;
  }
  if (message.role === "developer" && dialect.lacksDeveloperRole) wire.role = "system";
  if (Array.isArray(message.content)) wire.content = partsToWire(message.content, to);
  if (message.tool_calls?.some((call) => call.index !== undefined)) wire.tool_calls = message.tool_calls.map(unindexed);
  if (dialect.hasShortCallIds) Object.assign(wire, shortCallIds(wire));
  return message.reasoning || message.reasoning_details?.length ? withReasoning(wire, message, to) : wire;
}

/** True for a message of a role and a text. */
function isText(message: ChatMessage): boolean {
  for (const field in message) if (field !== "role" && field !== "content") return false;
  return typeof message.content === "string";
}

function saysNothing(field: string, value: unknown): boolean {
  if (value === null) return nullable.has(field);
  return Array.isArray(value) && value.length === 0 && lists.has(field);
}

/** `index` belongs to streams; history that was gathered from one may still have it. */
function unindexed({ index: _index, ...call }: NonNullable<ChatMessage["tool_calls"]>[number]): unknown {
  return call;
}

function partsToWire(parts: readonly ContentPart[], to: Addressee): readonly unknown[] {
  if (to.dialect.keepsCacheControl || !parts.some((part) => part.cache_control !== undefined)) return parts;
  return parts.map((part) => withoutCacheControl(part, to));
}

/** A part or tool without its mark for the vendor's cache, which is told. */
export function withoutCacheControl<Marked extends { cache_control?: unknown }>(
  marked: Marked,
  to: Addressee,
): unknown {
  if (marked.cache_control === undefined) return marked;
  warnUnsupported(to, "cache_control");
  const { cache_control: _mark, ...rest } = marked;
  return rest;
}

function withReasoning(wire: WireMessage, message: ChatMessage, to: Addressee): WireMessage {
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
