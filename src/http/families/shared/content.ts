import type { ChatMessage, ContentPart } from "../../../api/message.ts";

/** Parts as content: a lone plain text is a string, as most vendors have it. */
export function contentOf(parts: readonly ContentPart[]): string | ContentPart[] {
  const [only] = parts;
  if (only === undefined) return "";
  return parts.length === 1 && only.type === "text" && !only.cache_control ? only.text : [...parts];
}

/** Inline content as a `data:` URL. */
export function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}

/** What a `data:` URL of base64 holds; `undefined` for any other text. */
export function readDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma === -1) return undefined;
  const [mediaType = "", ...parameters] = url.slice("data:".length, comma).split(";");
  return parameters.includes("base64") ? { mediaType, base64: url.slice(comma + 1) } : undefined;
}

/** The messages of a conversation while they are read, each with the vendor's name of the place that it comes from. */
export interface Conversation {
  readonly messages: ChatMessage[];
  readonly origins: Map<string, string>;
}

/** Adds a message that comes from `path`. */
export function tell({ messages, origins }: Conversation, message: ChatMessage, path: string): void {
  origins.set(`messages.${messages.length}`, path);
  messages.push(message);
}
