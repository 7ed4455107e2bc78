import type { ChatMessage, ContentPart } from "../../../engine/api/message.ts";
import { isOwnBlock, ownBlockDetail } from "../../../engine/dialects/anthropic/own-blocks.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { addMessage, contentOf, type MessageReading } from "../shared/content.ts";
import { type FieldPath, type Notes, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import { type AssistantContent, addCall, addDetail, addText, newTurn, turnMessage } from "../shared/turn.ts";
import { markLast, readBlock } from "./content.ts";
import type { AnthropicBlock, AnthropicRequest, AnthropicTurn, ResultBlock } from "./schema.ts";
import { detailOf, unpackCallId } from "./thoughts.ts";

/** The conversation in our form: the system prompt first, tool results before the rest of the user's turn. */
export function readConversation({ system, messages }: AnthropicRequest, notes: Notes): ChatMessage[] {
  const conversation: MessageReading = { messages: [], origins: notes.origins };
  if (system !== undefined) {
    const parts = blocksOf(system).flatMap((block, at) => readText(block, { notes, path: `system.${at}` }));
    if (parts.length > 0) addMessage(conversation, { role: "system", content: contentOf(parts) }, "system");
  }
  for (const [at, turn] of messages.entries()) {
    const field = { notes, path: `messages.${at}` };
    if (turn.role === "assistant") addMessage(conversation, readAssistant(turn, field), field.path);
    else if (turn.role === "system") addMessage(conversation, readSystem(turn, field), field.path);
    else readUser(turn, field, conversation);
  }
  return conversation.messages;
}

function blocksOf<Block extends AnthropicBlock>(
  content: string | readonly Block[],
): readonly (Block | { type: "text"; text: string })[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function readText(block: AnthropicBlock, field: FieldPath): ContentPart[] {
  if (block.type === "text") return readBlock(block, field);
  throw invalidRequest(`${field.path}.type`, `${block.type} cannot stand in this role.`);
}

function readSystem({ content }: AnthropicTurn, { notes, path }: FieldPath): ChatMessage {
  const parts = blocksOf(content).flatMap((block, at) => readText(block, { notes, path: `${path}.content.${at}` }));
  return { role: "system", content: contentOf(parts) };
}

const resultTypes: ReadonlySet<string> = new Set(["text", "image", "document", "search_result", "tool_reference"]);

function isResultBlock(block: AnthropicBlock): block is ResultBlock {
  return resultTypes.has(block.type);
}

function readUser({ content }: AnthropicTurn, { notes, path }: FieldPath, conversation: MessageReading): void {
  const parts: ContentPart[] = [];
  let hasResults = false;
  for (const [at, block] of blocksOf(content).entries()) {
    const field = { notes, path: `${path}.content.${at}` };
    if (block.type === "tool_result") {
      hasResults = true;
      addMessage(conversation, readResult(block, field), field.path);
    } else if (isResultBlock(block)) parts.push(...readBlock(block, field));
    else if (isForeign(block)) warnUnsupportedFields(notes, field.path);
    else throw invalidRequest(`${field.path}.type`, `${block.type} cannot stand in this role.`);
  }
  if (parts.length > 0 || !hasResults) addMessage(conversation, { role: "user", content: contentOf(parts) }, path);
}

type ToolResultContent = Extract<AnthropicBlock, { type: "tool_result" }>;

function readResult(block: ToolResultContent, field: FieldPath): ChatMessage {
  const inner = blocksOf(block.content ?? "");
  const parts = inner.flatMap((part, at) => readBlock(part, { ...field, path: `${field.path}.content.${at}` }));
  const failed = block.is_error ? { is_error: true } : {};
  return {
    role: "tool",
    tool_call_id: unpackCallId(block.tool_use_id).id,
    content: contentOf(markLast(parts, block)),
    ...failed,
  };
}

/** True for what tools of the vendor's own leave behind. */
function isForeign({ type }: AnthropicBlock): boolean {
  return !resultTypes.has(type) && !["tool_result", "tool_use", "thinking", "redacted_thinking"].includes(type);
}

function readAssistant({ content }: AnthropicTurn, { notes, path }: FieldPath): ChatMessage {
  const turn = newTurn();
  for (const [at, block] of blocksOf(content).entries())
    readTurnBlock(block, turn, { notes, path: `${path}.content.${at}` });
  return turnMessage(turn);
}

function readTurnBlock(block: AnthropicBlock, turn: AssistantContent, field: FieldPath): void {
  if (block.type === "text") {
    for (const part of readBlock(block, field)) addText(turn, part);
  } else if (block.type === "tool_use") {
    if (block.cache_control) warnUnsupportedFields(field.notes, `${field.path}.cache_control`);
    const named = { name: block.name, arguments: JSON.stringify(block.input) };
    const { id, details: carried } = unpackCallId(block.id);
    for (const detail of carried) addDetail(turn, detail);
    addCall(turn, { id, type: "function", function: named });
  } else if (block.type === "thinking" || block.type === "redacted_thinking") {
    const detail = detailOf(block, 0);
    if (detail !== undefined) addDetail(turn, detail);
    if (block.type === "thinking") turn.thought += block.thinking;
  } else if (isOwnBlock(block)) {
    addDetail(turn, ownBlockDetail(block, 0));
  } else {
    throw invalidRequest(`${field.path}.type`, `${block.type} cannot stand in this role.`);
  }
}
