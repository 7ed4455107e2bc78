import type { ChatMessage, Delta, ToolCall } from "../api/message.ts";

/** What a message, or what a chunk adds to one, says beside its content, for counting: thoughts, a refusal, the names and inputs of its calls. */
export function nonContentText({ reasoning, refusal, tool_calls }: Pick<ChatMessage | Delta, ExtraField>): string {
  return `${reasoning ?? ""}${refusal ?? ""}${tool_calls === undefined ? "" : tool_calls.map(textIn).join("")}`;
}

type ExtraField = "reasoning" | "refusal" | "tool_calls";

/** A call of a function has arguments, one of a custom tool an input of any form. */
function textIn({ function: called, custom }: ToolCall): string {
  const { name, input } = (custom ?? {}) as { readonly name?: string; readonly input?: string };
  return `${called?.name ?? ""}${called?.arguments ?? ""}${name ?? ""}${input ?? ""}`;
}
