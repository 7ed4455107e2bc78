import type { ChatChunk, ChatResponse, ChunkChoice } from "../../../src/engine/api/chat.ts";
import type { FunctionToolCall } from "../../../src/engine/api/message.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Reply } from "./reply.ts";
import { tokensOf } from "./words.ts";

/** Says on every answer, also where its text is JSON or a tool call, that no model made it. */
const fingerprint = "echo-no-model";

/** The reply as a whole answer. */
export function answerWhole({ text, calls, finishReason, usage }: Reply, call: ProviderCall): ChatResponse {
  const toolCalls = calls.map(({ id, name, pieces: parts }): FunctionToolCall => {
    return { id, type: "function", function: { name, arguments: parts.join("") } };
  });
  const message = {
    role: "assistant" as const,
    content: text === "" ? null : text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return {
    id: call.id,
    object: "chat.completion",
    created: Math.floor(call.startedAt / 1000),
    model: call.model,
    system_fingerprint: fingerprint,
    choices: [{ index: 0, finish_reason: finishReason, message }],
    usage,
  };
}

/** The reply as the chunks of a stream: a role, one chunk per token, the finish reason, the usage. */
export function* answerStreamed(reply: Reply, call: ProviderCall): Generator<ChatChunk, void, undefined> {
  const { text, calls, finishReason, usage } = reply;
  const chunk = (choices: ChunkChoice[]): ChatChunk => ({
    id: call.id,
    object: "chat.completion.chunk",
    created: Math.floor(call.startedAt / 1000),
    model: call.model,
    system_fingerprint: fingerprint,
    choices,
  });
  const add = (delta: ChunkChoice["delta"]) => chunk([{ index: 0, finish_reason: null, delta }]);
  yield add({ role: "assistant" });
  for (const content of tokensOf(text)) yield add({ content });
  for (const [index, { id, name, pieces: parts }] of calls.entries()) {
    yield add({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const part of parts) yield add({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield chunk([{ index: 0, finish_reason: finishReason, delta: {} }]);
  yield { ...chunk([]), usage };
}
