import type { ChatMessage, ContentPart, ReasoningDetail } from "../../../engine/api/message.ts";
import { addMessage, contentOf, type MessageReading } from "../shared/content.ts";
import { unpackDetail } from "../shared/envelope.ts";
import type { Notes } from "../shared/translation-warnings.ts";
import { type AssistantContent, addCall, addDetail, addText, newTurn, turnMessage } from "../shared/turn.ts";
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
  const blocks: readonly CohereContentPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  const turn = newTurn();
  const firstText = blocks.findIndex(({ type }) => type !== "thinking");
  const addTexts = (parts: readonly ContentPart[]): void => {
    for (const part of parts) addText(turn, part);
  };
  for (const [at, part] of blocks.entries()) {
    if (at === firstText) addTexts(textPart(plan ?? ""));
    if (part.type === "thinking") addThought(turn, part);
    else addTexts(readPart(part));
  }
  if (firstText < 0) addTexts(textPart(plan ?? ""));
  for (const { id, function: called } of calls ?? []) addCall(turn, callOf(id, called));
  return turnMessage(turn);
}

function addThought(turn: AssistantContent, part: Extract<CohereContentPart, { type: "thinking" }>): void {
  turn.thought += part.thinking;
  for (const detail of detailOf(part)) addDetail(turn, detail);
}

function callOf(id: string, { name, arguments: text }: { readonly name: string; readonly arguments: string }) {
  return { id, type: "function", function: { name, arguments: text } };
}

/** The signature of a thought travels in a field of our own, which clients of the vendor hand back. */
function detailOf({ thinking, signature }: Extract<CohereContentPart, { type: "thinking" }>): ReasoningDetail[] {
  const packed = typeof signature === "string" ? unpackDetail(signature, thinking) : undefined;
  return packed === undefined ? [] : [packed];
}
