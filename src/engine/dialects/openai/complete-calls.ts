import type { AnsweredMessage, ChatMessage, CustomToolCall, FunctionToolCall, ToolCall } from "../../api/message.ts";

/** Characters of an answer's id in an id of ours: vendors refuse ids of calls beyond 40 characters, and others than these. */
const longestPart = 24;
const foreign = /[^\w-]/g;

/**
 * The message of a whole answer with calls that are complete: each has a type, an id, a name and its arguments, also where a vendor leaves
 * one of them out. An id that is made up has `place`, the answer's id and its choice, so that those of two turns of a conversation differ.
 * The same object where nothing is missing.
 */
export function withCompleteCalls(message: ChatMessage, place: string): AnsweredMessage {
  const { tool_calls: calls } = message;
  if (calls === undefined || calls.every(isComplete)) return message as AnsweredMessage; // as the test says
  return { ...message, tool_calls: calls.map((call, position) => complete(call, `${place}_${position}`)) };
}

function isComplete({ type, id, function: called }: ToolCall): boolean {
  if (typeof id !== "string" || id === "") return false;
  if (type === "custom") return true; // its dialect's reader makes it whole
  return type === "function" && typeof called?.name === "string" && typeof called.arguments === "string";
}

function complete(call: ToolCall, place: string): FunctionToolCall | CustomToolCall {
  const id = call.id || `call_${place.replaceAll(foreign, "").slice(-longestPart)}`;
  const custom = call.custom as Partial<CustomToolCall["custom"]> | undefined;
  if (call.type === "custom" || (custom !== undefined && call.function === undefined)) {
    return { ...call, type: "custom", id, custom: { ...custom, name: custom?.name ?? "", input: custom?.input ?? "" } };
  }
  const { name = "", arguments: text = "" } = call.function ?? {};
  return { ...call, type: "function", id, function: { ...call.function, name, arguments: text } };
}
