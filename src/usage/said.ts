import type { ChatMessage, Delta, ToolCall } from "../api/message.ts";

/** What a message, or what a chunk adds to one, says beside its content, for counting: thoughts, a refusal, the names and inputs of its calls. */
export function saidBeside({ reasoning, refusal, tool_calls }: Pick<ChatMessage | Delta, Beside>): string {
  return `${reasoning ?? ""}${refusal ?? ""}${tool_calls === undefined ? "" : tool_calls.map(saidIn).join("")}`;
}

type Beside = "reasoning" | "refusal" | "tool_calls";

/** A call of a function has arguments, one of a custom tool an input of any form. */
function saidIn({ function: called, custom }: ToolCall): string {
  const { name, input } = (custom ?? {}) as { readonly name?: string; readonly input?: string };
  return `${called?.name ?? ""}${called?.arguments ?? ""}${name ?? ""}${input ?? ""}`;
}
