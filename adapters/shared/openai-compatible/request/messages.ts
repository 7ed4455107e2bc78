import { createHash } from "node:crypto";
import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../../../../src/engine/api/message.ts";
import { isTextual, mediaTypeOf, readInlineFile, readText } from "../../../../src/engine/dialects/content.ts";
import { failedTool } from "../../chat/fields.ts";
import { holdsOther, isTextOrImage, isTextPart, withTakenResults } from "../../chat/tool-media.ts";
import { takesSeals, withSeals } from "../call-seals.ts";
import { type RequestTarget, warnUnsupported } from "../compatibility-profile.ts";

/** Models of this maker refuse a user's turn behind results of tools ("Unexpected role 'user' after role 'tool'"), wherever they are served. */
const strictModels = /(?:^|[/.-])(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/i;

/** What stands between results and the user's next turn. */
const filler = { role: "assistant", content: "I have read the results." };

/**
 * The messages in the order that Mistral's models take: the model answers results before the user goes on, and an answer that is to be
 * continued says so. A conversation that has that order is passed on as it is.
 */
function inStrictOrder(wire: readonly unknown[], model: string, to: RequestTarget): readonly unknown[] {
  if (to.dialect.hasStrictOrder !== true && !strictModels.test(model)) return wire;
  const messages = wire as readonly Pick<ChatMessage, "role">[]; // as messageToWire has made them
  const written = messages.flatMap((message, at) => {
    const isGap = message.role === "user" && messages[at - 1]?.role === "tool";
    return isGap ? [filler, message] : [message];
  });
  if (written.length > messages.length)
    to.warn("`messages` get a short answer of the model between results and the user: the model takes no other order");
  const last = written.at(-1);
  if (last?.role !== "assistant" || to.dialect.hasStrictOrder !== true) return written;
  return [...written.slice(0, -1), { prefix: true, ...last }];
}

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

/** What of a message names tool calls. */
type CallReference = Pick<ChatMessage, "tool_call_id" | "tool_calls">;

/**
 * A message's tool calls by identifiers of nine letters and digits, for vendors that refuse others. What is one already stays; any other
 * becomes the beginning of its hash, so that a call and its result keep the same name in every request.
 */
export function shortCallIds({ tool_call_id: id, tool_calls: calls }: CallReference): CallReference {
  return {
    ...(id === undefined ? {} : { tool_call_id: shorten(id) }),
    ...(calls?.length ? { tool_calls: calls.map(shortenCall) } : {}),
  };
}

function shortenCall(call: ToolCall): ToolCall {
  return call.id === undefined ? call : { ...call, id: shorten(call.id) };
}

function shorten(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}

/**
 * The conversation with its textual files as texts, the name of each in front: OpenAI's chat reads no file but PDF, and most others of its
 * dialect read none. A message without such a file is passed on as it is.
 */
function withTextFiles(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(holdsFile)) return messages;
  return messages.map((message) =>
    holdsFile(message) ? { ...message, content: message.content.map(fileAsText) } : message,
  );
}

function holdsFile(message: ChatMessage): message is ChatMessage & { content: ContentPart[] } {
  return Array.isArray(message.content) && message.content.some(({ type }) => type === "file");
}

function fileAsText(part: ContentPart): ContentPart {
  if (part.type !== "file" || part.file.file_data === undefined) return part;
  const { file_data: data, filename } = part.file;
  const named = mediaTypeOf(filename);
  const inline = readInlineFile(data, named !== undefined && isTextual(named) ? named : "application/pdf");
  const text = inline === undefined ? undefined : readText(inline);
  if (text === undefined) return part;
  const { file: _file, ...rest } = part;
  return { ...rest, type: "text", text: filename === undefined ? text : `${filename}\n${text}` };
}
