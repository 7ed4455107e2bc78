import type { ChatMessage, ContentPart } from "../../../../src/api/message.ts";
import type { Warned } from "../compatibility-profile.ts";

/**
 * The conversation for a vendor whose tools tell text only: what else they gave is said by the user behind all results of the turn,
 * since nothing may stand between those.
 */
export function withTextResults(messages: readonly ChatMessage[], to: Warned): readonly ChatMessage[] {
  if (!messages.some(holdsMedia)) return messages;
  const written: ChatMessage[] = [];
  let moved: ContentPart[] = [];
  for (const [at, message] of messages.entries()) {
    if (!holdsMedia(message)) written.push(message);
    else {
      const { content } = message;
      const texts = content.filter(isText);
      written.push({ ...message, content: texts.length === 0 ? "" : texts }); // an empty list is refused
      moved.push(...content.filter((part) => !isText(part)));
      to.warn(`\`messages.${at}\` is moved to the user but for its text: ${to.provider} takes text only of tools`);
    }
    if (moved.length === 0 || messages[at + 1]?.role === "tool") continue;
    written.push({ role: "user", content: moved });
    moved = [];
  }
  return written;
}

function holdsMedia(message: ChatMessage): message is ChatMessage & { content: ContentPart[] } {
  return message.role === "tool" && Array.isArray(message.content) && !message.content.every(isText);
}

function isText({ type }: ContentPart): boolean {
  return type === "text";
}
