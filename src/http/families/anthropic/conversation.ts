import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../../../api/message.ts";
import { type Conversation, contentOf, tell } from "../shared/content.ts";
import { type Notes, type Place, refuseField, warnUnkept } from "../shared/notes.ts";
import { markLast, readBlock } from "./content.ts";
import type { AnthropicBlock, AnthropicRequest, AnthropicTurn, ResultBlock } from "./schema.ts";
import { detailOf } from "./thoughts.ts";

/** The conversation in our words, the system prompt first; results of tools stand before what else the user says. */
export function readConversation({ system, messages }: AnthropicRequest, notes: Notes): ChatMessage[] {
  const conversation: Conversation = { messages: [], origins: notes.origins };
  if (system !== undefined) {
    const parts = blocksOf(system).flatMap((block, at) => readText(block, { notes, path: `system.${at}` }));
    if (parts.length > 0) tell(conversation, { role: "system", content: contentOf(parts) }, "system");
  }
  for (const [at, turn] of messages.entries()) {
    const place = { notes, path: `messages.${at}` };
    if (turn.role === "assistant") tell(conversation, readAssistant(turn, place), place.path);
    else if (turn.role === "system") tell(conversation, readSystem(turn, place), place.path);
    else readUser(turn, place, conversation);
  }
  return conversation.messages;
}

function blocksOf<Block extends AnthropicBlock>(
  content: string | readonly Block[],
): readonly (Block | { type: "text"; text: string })[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function readText(block: AnthropicBlock, place: Place): ContentPart[] {
  if (block.type === "text") return readBlock(block, place);
  throw refuseField(`${place.path}.type`, `${block.type} cannot stand in this role.`);
}

function readSystem({ content }: AnthropicTurn, { notes, path }: Place): ChatMessage {
  const parts = blocksOf(content).flatMap((block, at) => readText(block, { notes, path: `${path}.content.${at}` }));
  return { role: "system", content: contentOf(parts) };
}

const resultTypes: ReadonlySet<string> = new Set(["text", "image", "document", "search_result"]);

function isResultBlock(block: AnthropicBlock): block is ResultBlock {
  return resultTypes.has(block.type);
}

function readUser({ content }: AnthropicTurn, { notes, path }: Place, conversation: Conversation): void {
  const parts: ContentPart[] = [];
  let hasResults = false;
  for (const [at, block] of blocksOf(content).entries()) {
    const place = { notes, path: `${path}.content.${at}` };
    if (block.type === "tool_result") {
      hasResults = true;
      tell(conversation, readResult(block, place), place.path);
    } else if (isResultBlock(block)) parts.push(...readBlock(block, place));
    else if (isForeign(block)) warnUnkept(notes, place.path);
    else throw refuseField(`${place.path}.type`, `${block.type} cannot stand in this role.`);
  }
  if (parts.length > 0 || !hasResults) tell(conversation, { role: "user", content: contentOf(parts) }, path);
}

type ToolResult = Extract<AnthropicBlock, { type: "tool_result" }>;

function readResult(block: ToolResult, place: Place): ChatMessage {
  if (block.is_error) warnUnkept(place.notes, `${place.path}.is_error`);
  const inner = blocksOf(block.content ?? "");
  const parts = inner.flatMap((part, at) => readBlock(part, { ...place, path: `${place.path}.content.${at}` }));
  return { role: "tool", tool_call_id: block.tool_use_id, content: contentOf(markLast(parts, block)) };
}

/** True for what tools of the vendor's own leave behind. */
function isForeign({ type }: AnthropicBlock): boolean {
  return !resultTypes.has(type) && !["tool_result", "tool_use", "thinking", "redacted_thinking"].includes(type);
}

interface Said {
  readonly parts: ContentPart[];
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  thought: string;
}

function readAssistant({ content }: AnthropicTurn, { notes, path }: Place): ChatMessage {
  const said: Said = { parts: [], details: [], calls: [], thought: "" };
  for (const [at, block] of blocksOf(content).entries())
    readSaid(block, said, { notes, path: `${path}.content.${at}` });
  const { parts, details, calls, thought } = said;
  return {
    role: "assistant",
    content: parts.length === 0 ? null : contentOf(parts),
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function readSaid(block: AnthropicBlock, said: Said, place: Place): void {
  const { parts, details, calls } = said;
  if (block.type === "text") {
    parts.push(...readBlock(block, place));
  } else if (block.type === "tool_use") {
    if (block.cache_control) warnUnkept(place.notes, `${place.path}.cache_control`);
    const named = { name: block.name, arguments: JSON.stringify(block.input) };
    calls.push({ id: block.id, type: "function", function: named });
  } else if (block.type === "thinking" || block.type === "redacted_thinking") {
    const detail = detailOf(block, parts.length + details.length + calls.length);
    if (detail !== undefined) details.push(detail);
    if (block.type === "thinking") said.thought += block.thinking;
  } else if (isForeign(block)) {
    warnUnkept(place.notes, place.path);
  } else {
    throw refuseField(`${place.path}.type`, `${block.type} cannot stand in this role.`);
  }
}
