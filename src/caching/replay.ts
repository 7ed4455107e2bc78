import type { ChatChunk, ChatResponse, Choice, ChunkChoice, Ending } from "../api/chat.ts";
import type { ChatMessage, Delta, ReasoningDetail, ToolCall, ToolCallDelta } from "../api/message.ts";

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
    chunk(position === 0 ? rest : {}, [contentOf(choice)]),
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

function contentOf(choice: Choice): ChunkChoice {
  const { index, message, log_probs, finish_reason: _reason, ...others } = choice;
  const { stop_sequence: _sequence, native_finish_reason: _native, ...rest } = others;
  const delta = deltaOf(message);
  return { ...rest, index, finish_reason: null, delta, ...(log_probs ? { log_probs } : {}) } as ChunkChoice; // as above
}

/** All of a message at once. What is `null` in a message is not there in a delta. */
function deltaOf({ content, tool_calls, reasoning_details, ...message }: ChatMessage): Delta {
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
