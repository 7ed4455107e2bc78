import type { ChatMessage, ContentPart, ReasoningDetail } from "../../../api/message.ts";
import { addMessage, contentOf, type MessageReading } from "../shared/content.ts";
import { unpackDetail } from "../shared/envelope.ts";
import type { Notes } from "../shared/translation-warnings.ts";
import type { CohereMessage } from "./schema.ts";

/** The conversation in our form. */
export function readConversation(messages: readonly CohereMessage[], notes: Notes): ChatMessage[] {
  const conversation: MessageReading = { messages: [], origins: notes.origins };
  for (const [at, message] of messages.entries()) addMessage(conversation, readMessage(message), `messages.${at}`);
  return conversation.messages;
}

function readMessage(message: CohereMessage): ChatMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: contentOf(partsOf(message.content)) };
    case "user":
      return { role: "user", content: contentOf(partsOf(message.content)) };
    case "tool":
      return { role: "tool", tool_call_id: message.tool_call_id, content: contentOf(partsOf(message.content)) };
    case "assistant":
      return readAssistant(message);
  }
}

type MessageOf<Role extends CohereMessage["role"]> = Extract<CohereMessage, { role: Role }>;
type CohereContentPart = Exclude<NonNullable<CohereMessage["content"]>, string>[number];

function partsOf(content: string | readonly CohereContentPart[]): ContentPart[] {
  return typeof content === "string" ? textPart(content) : content.flatMap(readPart);
}

function textPart(text: string): ContentPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function readPart(part: CohereContentPart): ContentPart[] {
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "image_url": {
      const { url, detail } = part.image_url;
      return [{ type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } }];
    }
    case "document": {
      const { data: document } = part.document;
      return textPart(typeof document === "string" ? document : JSON.stringify(document));
    }
    case "thinking":
      return [];
  }
}

/** A tool plan is text that was said before the calls. */
function readAssistant({ content, tool_calls: calls, tool_plan: plan }: MessageOf<"assistant">): ChatMessage {
  const blocks: readonly CohereContentPart[] = typeof content === "string" || !content ? [] : content;
  const thoughts = blocks.flatMap((part) => (part.type === "thinking" ? [part] : []));
  const contentParts = [...textPart(plan ?? ""), ...partsOf(content ?? "")];
  const reasoning = thoughts.map(({ thinking }) => thinking).join("");
  const details = thoughts.flatMap(detailOf);
  return {
    role: "assistant",
    content: contentParts.length === 0 ? null : contentOf(contentParts),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls?.length ? { tool_calls: calls.map(({ id, function: called }) => callOf(id, called)) } : {}),
  };
}

function callOf(id: string, { name, arguments: text }: { readonly name: string; readonly arguments: string }) {
  return { id, type: "function", function: { name, arguments: text } };
}

/** The signature of a thought travels in a field of our own, which clients of the vendor hand back. */
function detailOf({ thinking, signature }: Extract<CohereContentPart, { type: "thinking" }>): ReasoningDetail[] {
  const packed = typeof signature === "string" ? unpackDetail(signature, thinking) : undefined;
  return packed === undefined ? [] : [packed];
}
