import type { ChatChunk, ChatResponse } from "../chat.ts";

/**
 * The text of an answer, or of a chunk of a stream: that of its first choice, `""` where it has none (a tool call, a refusal). Parts that are
 * no text are left out.
 */
export function textOf(answer: ChatResponse | ChatChunk): string {
  const [choice] = answer.choices;
  if (choice === undefined) return "";
  const content = "message" in choice ? (choice as ChatResponse["choices"][number]).message.content : undefined;
  const text = content ?? ("delta" in choice ? (choice as ChatChunk["choices"][number]).delta.content : undefined);
  if (!Array.isArray(text)) return text ?? "";
  return text.map((part) => (part.type === "text" ? part.text : "")).join("");
}
