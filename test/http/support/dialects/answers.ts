import fc from "fast-check";
import type { ChatChunk, ChatResponse } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage, Delta, ReasoningDetail, ToolCall } from "../../../../src/engine/api/message.ts";
import { withCompleteCalls } from "../../../../src/engine/dialects/openai/complete-calls.ts";

/** Texts with the characters that break things: quotes, line ends, pairs of surrogates, what ends a stream. */
export const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('"', "\n\n", "data: [DONE]", "🌊", "é", "\\", "}", "{}"),
);

const anyJson = fc.jsonValue({ maxDepth: 2 });

/** Arguments of a call: the text of an object, with white space as vendors write it. */
export const anyArguments = fc
  .tuple(fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), anyJson, { maxKeys: 3 }), fc.constantFrom(0, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

/** Calls of tools, each with an id of its own. */
export const anyCalls: fc.Arbitrary<ToolCall[]> = fc
  .uniqueArray(fc.tuple(fc.uuid(), fc.constantFrom("weather", "search", "f"), anyArguments), {
    selector: ([id]) => id,
    maxLength: 4,
  })
  .map((calls) =>
    calls.map(([id, name, text]) => ({ id: `call_${id}`, type: "function", function: { name, arguments: text } })),
  );

const opaque = fc.base64String({ minLength: 1, maxLength: 40 });
const formats = ["anthropic-claude-v1", "google-gemini-v1", "openai-responses-v1", "unknown"];

/** A thought of any vendor, with all that must come back. */
const anyDetail: fc.Arbitrary<ReasoningDetail> = fc.oneof(
  fc.record({
    type: fc.constant("reasoning.text" as const),
    text: anyText,
    signature: opaque,
    format: fc.constantFrom(...formats),
  }),
  fc.record({
    type: fc.constant("reasoning.encrypted" as const),
    data: opaque,
    format: fc.constantFrom(...formats.filter((format) => format !== "google-gemini-v1")),
  }),
  fc.record({
    type: fc.constant("reasoning.summary" as const),
    summary: anyText,
    id: fc.uuid(),
    format: fc.constantFrom("openai-responses-v1", "unknown"),
  }),
);

/** Thoughts in order, each with the place of its own that providers give them. */
const anyDetails = fc
  .array(anyDetail, { maxLength: 3 })
  .map((details) => details.map((detail, index) => ({ ...detail, index })));

/** A past answer: thoughts, then text, then calls, each of which may be missing. */
export const anyMessage: fc.Arbitrary<ChatMessage> = fc
  .record({ text: fc.option(anyText, { nil: null }), details: anyDetails, calls: anyCalls })
  .filter(({ text, details, calls }) => text !== null || details.length + calls.length > 0)
  .map(({ text, details, calls }) => {
    const thought = details
      .map((detail) => ("text" in detail ? detail.text : "summary" in detail ? detail.summary : ""))
      .join("");
    return {
      role: "assistant",
      content: text,
      ...(thought === "" ? {} : { reasoning: thought }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
  });

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const envelope = { id: "answer-1", created: 1_795_000_000, model: "model" };

/** The whole answer that holds a message. */
export function answerOf(message: ChatMessage, finish = "stop"): ChatResponse {
  const finish_reason = message.tool_calls ? "tool_calls" : finish;
  return {
    ...envelope,
    object: "chat.completion",
    choices: [{ index: 0, finish_reason, message: withCompleteCalls(message, `${envelope.id}_0`) }],
    usage,
  };
}

/** Chunks that tell these deltas one by one, and end. */
export function chunksOf(deltas: readonly Delta[], finish = "stop"): ChatChunk[] {
  const chunk = (delta: Delta, finish_reason: string | null): ChatChunk => ({
    ...envelope,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const hasCalls = deltas.some(({ tool_calls }) => tool_calls?.length);
  const last = { ...envelope, object: "chat.completion.chunk", choices: [], usage };
  return [
    chunk({ role: "assistant" }, null),
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, hasCalls ? "tool_calls" : finish),
    last,
  ];
}

/** A text cut into pieces at any places. */
export function pieces(text: string, cuts: readonly number[]): string[] {
  const edges = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return edges.slice(1).map((end, at) => text.slice(edges[at], end));
}
