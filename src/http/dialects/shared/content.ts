import type { ChatMessage, ContentPart } from "../../../engine/api/message.ts";

/** Parts as content: a lone plain text is a string, as most vendors have it. */
export function contentOf(parts: readonly ContentPart[]): string | ContentPart[] {
  const [only] = parts;
  if (only === undefined) return "";
  const isPlain = !only.cache_control && only.index === undefined && (only.type !== "text" || !only.tool_reference);
  return parts.length === 1 && only.type === "text" && isPlain ? only.text : [...parts];
}

/** The messages of a conversation while they are read, and the vendor's path of each. */
export interface MessageReading {
  readonly messages: ChatMessage[];
  readonly origins: Map<string, string>;
}

/** Adds a message that comes from `path`. */
export function addMessage({ messages, origins }: MessageReading, message: ChatMessage, path: string): void {
  origins.set(`messages.${messages.length}`, path);
  messages.push(message);
}
