import type { ChatChunk, ChatRequest } from "../../api/chat.ts";
import { isRecord } from "../wire-values.ts";

/**
 * True for a chat request in the older words of OpenAI's interface, which its SDKs still type and older agents still send: `functions`,
 * `function_call`, messages of the role `function` (platform.openai.com, "Create chat completion", deprecated fields).
 */
export function usesFunctions(body: unknown): body is Record<string, unknown> {
  if (!isRecord(body)) return false;
  if (Array.isArray(body.functions) || isSet(body.function_call)) return true;
  return Array.isArray(body.messages) && body.messages.some((message) => isRecord(message) && isOlder(message));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isOlder({ role, function_call: call }: Record<string, unknown>): boolean {
  return role === "function" || isRecord(call);
}

/** The request with tools in place of functions: one call at a time, as functions were. The cast is the seam: the engine checks what it is handed. */
export function withTools({
  functions,
  function_call: choice,
  messages,
  ...rest
}: Record<string, unknown>): ChatRequest {
  const tools = Array.isArray(functions) ? functions.map((each) => ({ type: "function", function: each })) : undefined;
  return {
    ...rest,
    ...(Array.isArray(messages) ? { messages: toolMessages(messages) } : { messages }),
    ...(tools && tools.length > 0 && { tools, parallel_tool_calls: false }),
    ...(isSet(choice) && { tool_choice: isRecord(choice) ? { type: "function", function: choice } : choice }),
  } as unknown as ChatRequest;
}

/** A function's result names its function only: it answers the last call of it. */
function toolMessages(messages: readonly unknown[]): unknown[] {
  const ids = new Map<unknown, string>();
  return messages.map((message, at) => {
    if (!isRecord(message) || !isOlder(message)) return message;
    const { function_call: called, ...rest } = message;
    if (!isRecord(called)) {
      const id = ids.get(rest.name) ?? `call_${at}`;
      return { ...rest, role: "tool", tool_call_id: id };
    }
    const id = `call_${at}`;
    ids.set(called.name, id);
    return { ...rest, tool_calls: [{ id, type: "function", function: called }] };
  });
}

/** An answer, already in OpenAI's words, with its call as `function_call`. */
export function withFunctionCalls<Answer extends { readonly choices: readonly object[] }>(answer: Answer): Answer {
  const choices = answer.choices.map((choice) => {
    const { message, finish_reason: reason } = choice as Record<string, unknown>;
    return { ...choice, ...(isRecord(message) && { message: withCall(message) }), finish_reason: olderReason(reason) };
  });
  return { ...answer, choices };
}

/** The same of a chunk. */
export function withFunctionDeltas<Chunk extends { readonly choices: readonly object[] }>(chunk: Chunk): Chunk {
  const choices = chunk.choices.map((choice) => {
    const { delta, finish_reason: reason } = choice as Record<string, unknown>;
    return { ...choice, ...(isRecord(delta) && { delta: withCall(delta) }), finish_reason: olderReason(reason) };
  });
  return { ...chunk, choices };
}

/** The chunks of a stream that is asked for in the older words. */
export async function* functionChunks(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  for await (const chunk of chunks) yield withFunctionDeltas(chunk);
}

function withCall({ tool_calls: calls, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const [first] = Array.isArray(calls) ? calls.filter(isFirst) : [];
  return isRecord(first) && isRecord(first.function) ? { ...rest, function_call: first.function } : rest;
}

/** Later calls, of a model that makes several all the same, have no place. */
function isFirst(call: unknown): boolean {
  return isRecord(call) && (call.index === undefined || call.index === 0);
}

function olderReason(reason: unknown): unknown {
  return reason === "tool_calls" ? "function_call" : reason;
}
