import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { countTokens } from "./words.ts";

/** The text of a message; what is not text is named in brackets: `[image_url]`. */
function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ");
}

/** The last thing that the user said; empty when the user said nothing. */
export function lastWords({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last === undefined ? "" : textOf(last).trim();
}

/** What a tool gave back. */
export interface ToolOutput {
  readonly name: string;
  readonly text: string;
}

/** The results that the conversation ends with, in order; none when it ends with anything else. */
export function lastToolResults({ messages }: ChatRequest): ToolOutput[] {
  const first = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const calls = messages.slice(0, first).flatMap((message) => message.tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function?.name]));
  return messages.slice(first).map((message) => {
    const name = names.get(message.tool_call_id) ?? message.name ?? "a tool";
    return { name, text: textOf(message).trim() };
  });
}

/** Tokens of a conversation: those of every text in it and of the tool calls made so far; anything else counts as its name in brackets. */
export function countPrompt({ messages }: ChatRequest): number {
  return messages.reduce((sum, message) => {
    const calls = (message.tool_calls ?? []).map((call) => countCall(call.function?.name, call.function?.arguments));
    return calls.reduce((total, count) => total + count, sum + countTokens(textOf(message)));
  }, 0);
}

/** Tokens of a tool call: its name is one, its arguments count as text. */
function countCall(name: string | undefined, argumentText: string | undefined): number {
  return (name === undefined ? 0 : 1) + countTokens(argumentText ?? "");
}
