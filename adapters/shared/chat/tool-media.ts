import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";

/** A message to be written, and its place among those of the request. */
export interface IndexedMessage {
  readonly message: ChatMessage;
  readonly at: number;
}

/** What a vendor takes in the results of tools, and where to name what is moved. */
export interface ToolMediaRule {
  readonly provider: string;
  takes(part: ContentPart): boolean;
  warn(warning: string): void;
}

/**
 * The conversation for a vendor whose tools cannot tell everything: what it does not take of them is said by the user behind all results
 * of the turn, since nothing may stand between those.
 */
export function withTakenResults(messages: readonly ChatMessage[], rule: ToolMediaRule): IndexedMessage[] {
  const written: IndexedMessage[] = [];
  let moved: ContentPart[] = [];
  for (const [at, message] of messages.entries()) {
    if (!holdsOther(message, rule)) written.push({ message, at });
    else {
      const { content } = message;
      const taken = content.filter(rule.takes);
      written.push({ message: { ...message, content: taken.length === 0 ? "" : taken }, at }); // an empty list is refused
      moved.push(...content.filter((part) => !rule.takes(part)));
      const kinds = taken.some(({ type }) => !isTextual(type)) ? "what its tools can hold" : "its text";
      rule.warn(`\`messages.${at}\` is moved to the user but for ${kinds}: ${rule.provider} takes no more of tools`);
    }
    if (moved.length === 0 || messages[at + 1]?.role === "tool") continue;
    written.push({ message: { role: "user", content: moved }, at });
    moved = [];
  }
  return written;
}

/** True where a tool's result holds what must be moved. */
export function holdsOther(
  message: ChatMessage,
  { takes }: Pick<ToolMediaRule, "takes">,
): message is ChatMessage & { content: ContentPart[] } {
  return message.role === "tool" && Array.isArray(message.content) && !message.content.every(takes);
}

/** True for the parts that are text. */
export function isTextPart({ type }: ContentPart): boolean {
  return isTextual(type);
}

/** True for the parts that are text or an image. */
export function isTextOrImage({ type }: ContentPart): boolean {
  return isTextual(type) || type === "image_url";
}

function isTextual(type: ContentPart["type"]): boolean {
  return type === "text" || type === "refusal";
}
