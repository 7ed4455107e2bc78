import { createHash } from "node:crypto";
import type { ChatMessage, ToolCall } from "../../../../src/engine/api/message.ts";

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
