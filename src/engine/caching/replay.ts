import type { ChatChunk, ChatResponse, Choice, ChunkChoice, Ending } from "../api/chat.ts";
import type { ChatMessage, Delta, ReasoningDetail, ToolCall, ToolCallDelta } from "../api/message.ts";
import { inOrder, isTextTie, isTied, textsOf } from "../dialects/order.ts";

/**
 * A whole answer as the chunks of a stream, which `foldChunks` makes the same answer of: for each choice one chunk with all that the
 * message says, then one that ends it. Usage comes last, in a chunk of its own with empty `choices`, when there is any.
 */
export function toChunks(answer: ChatResponse): ChatChunk[] {
  const { choices, usage, extra_fields: _extra, object: _object, ...rest } = answer;
  const bare = { id: rest.id, created: rest.created, model: rest.model };
  const chunk = (head: object, choices: ChunkChoice[]): ChatChunk =>
    ({ ...bare, ...head, object: "chat.completion.chunk", choices }) as ChatChunk; // seam: the rest is the answer's own
  const chunks = choices.flatMap((choice, position) => [
    ...contentOf(choice).map((content, at) => chunk(position === 0 && at === 0 ? rest : {}, [content])),
    chunk({}, [{ index: choice.index, finish_reason: choice.finish_reason, delta: {}, ...endingOf(choice) }]),
  ]);
  if (usage) chunks.push({ ...chunk({}, []), usage });
  return chunks;
}

function endingOf({ stop_sequence, native_finish_reason }: Choice): Ending {
  return {
    ...(stop_sequence === undefined ? {} : { stop_sequence }),
    ...(native_finish_reason === undefined ? {} : { native_finish_reason }),
  };
}

function contentOf(choice: Choice): ChunkChoice[] {
  const { index, message, log_probs, finish_reason: _reason, ...others } = choice;
  const { stop_sequence: _sequence, native_finish_reason: _native, ...rest } = others;
  return deltasOf(message).map((delta, at) => {
    const extras = at === 0 ? { ...rest, ...(log_probs ? { log_probs } : {}) } : {};
    return { ...extras, index, finish_reason: null, delta } as ChunkChoice; // as above
  });
}

/** A message as few deltas as its order allows: one, unless texts stand behind calls. */
function deltasOf(message: ChatMessage): Delta[] {
  const {
    reasoning_details: details = [],
    text_blocks: blocks,
    reasoning,
    tool_calls: calls = [],
    ...others
  } = message;
  const joined = details.map(({ text, summary }) => text ?? summary ?? "").join("");
  const isInterleaved = details.filter((detail) => !isTied(detail)).some(({ index = 0 }, at) => index > at);
  if ((blocks === undefined && !isInterleaved) || joined !== (reasoning ?? "")) return [deltaOf(message)];
  const thoughts = details.flatMap((detail) => {
    if (isTextTie(detail)) return [];
    const text = detail.text ?? detail.summary ?? "";
    const block: Delta = { ...(text === "" ? {} : { reasoning: text }), reasoning_details: [detail] };
    return [{ index: detail.index, block, isTied: isTied(detail) }];
  });
  const signatures = details.filter(isTextTie);
  const texts = textsOf(message).map(({ index, block: part }) => {
    const own = signatures.filter((detail) => detail.index === index);
    const text = part.type === "text" ? { content: part.text } : {};
    return { index, block: own.length === 0 ? text : { ...text, reasoning_details: own } };
  });
  const called = calls.map((call, at) => ({ index: call.index, block: { tool_calls: [toToolDelta(call, at)] } }));
  return [deltaOf({ ...others, content: null }), ...inOrder<Delta>({ thoughts, texts, calls: called })];
}

/** All of a message at once. What is `null` in a message is not there in a delta. */
function deltaOf({ content, tool_calls, reasoning_details, text_blocks: _places, ...message }: ChatMessage): Delta {
  const delta: Delta = { role: "assistant" };
  const text = textOf(content);
  if (text !== undefined) delta.content = text;
  for (const [name, value] of Object.entries(message)) {
    if (value !== null && value !== undefined && name !== "role") delta[name] = value;
  }
  if (tool_calls) delta.tool_calls = tool_calls.map(toToolDelta);
  if (reasoning_details) delta.reasoning_details = scoped(reasoning_details);
  return delta;
}

function toToolDelta({ function: called = {}, ...call }: ToolCall, index: number): ToolCallDelta {
  return { ...call, index, function: called };
}

/** Several details without places would be taken for pieces of one. */
function scoped(details: readonly ReasoningDetail[]): ReasoningDetail[] {
  return details.map((detail, index) => (details.length > 1 ? { index, ...detail } : detail));
}

/** Streams know text only: of parts, their texts one after the other. */
function textOf(content: ChatMessage["content"]): string | undefined {
  if (typeof content === "string") return content;
  return content?.map((part) => (part.type === "text" ? part.text : "")).join("");
}
