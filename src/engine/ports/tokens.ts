import type { ChatRequest } from "../api/chat.ts";

/**
 * Counts tokens where a provider did not: before a call, and for streams that end without usage. Counts are estimates, exact only
 * for models whose tokenizer is public. Synchronous; the time of a call is bounded by a multiple of the text's length.
 */
export interface Tokens {
  /** Tokens of a text in the encoding of `model` (the provider's own name). */
  countText(text: string, model: string): number;
  /** Prompt tokens of a chat request: the text of its messages and tools, and what the chat format adds; images and audio excluded. */
  countChat(request: Pick<ChatRequest, "messages" | "tools">, model: string): number;
}
