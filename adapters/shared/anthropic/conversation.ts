import type { ChatMessage, ToolCall } from "../../../src/api/message.ts";
import { parseArguments } from "../../../src/ports/exact-json.ts";
import { invalidRequest, type Translation, unsupported, warnOfMessage } from "../chat/fields.ts";
import { ownReasoning } from "../chat/reasoning.ts";
import { type Place, writeContent, writeText } from "./content.ts";
import type { ModelTraits } from "./traits.ts";
import type { Block, TextBlock, Turn } from "./wire.ts";

/** Marks reasoning details as this vendor's, so that no other is sent them. */
export const reasoningFormat = "anthropic-claude-v1";

/** A conversation as the vendor has it: what is system stands beside the turns. */
export interface Conversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

interface ConversationContext extends Translation {
  readonly traits: ModelTraits;
}

/** What stands between two assistant messages; the vendor wants it as one user turn, tool results first. */
interface Gap {
  results: Block[];
  rest: Block[];
  /** System messages of this gap, with the place of each, and how many blocks stood before it. */
  system: { path: string; blocks: TextBlock[]; behind: number }[];
}

/** Writes messages as turns. Messages of one side that follow each other are one turn; nothing is left out but empty text. */
export function writeConversation(messages: readonly ChatMessage[], context: ConversationContext): Conversation {
  const system: TextBlock[] = [];
  const turns: Turn[] = [];
  let gap = emptyGap();
  const close = (): void => {
    closeGap(gap, { system, turns }, context);
    gap = emptyGap();
  };
  for (const [at, message] of messages.entries()) {
    const place: Place = { provider: context.provider, call: context.call, path: `messages.${at}` };
    warnOfMessage(message, place);
    if (message.role === "assistant") {
      close();
      const blocks = writeAssistant(message, place);
      if (blocks.length > 0) turns.push({ role: "assistant", content: compact(blocks) });
    } else {
      addToGap(gap, message, place);
    }
  }
  close();
  return { system, turns };
}

function emptyGap(): Gap {
  return { results: [], rest: [], system: [] };
}

function addToGap(gap: Gap, message: ChatMessage, place: Place): void {
  if (message.role === "tool") gap.results.push(writeToolResult(message, place));
  else if (message.role === "user") gap.rest.push(...writeContent(message.content, place));
  else {
    const behind = gap.results.length + gap.rest.length;
    gap.system.push({ path: place.path, blocks: writeText(message.content, place), behind });
  }
}

interface Written {
  readonly system: TextBlock[];
  readonly turns: Turn[];
}

/**
 * System messages before anything else are the system prompt. Later ones follow the user turn of their gap where the model has system
 * turns (which may stand nowhere else), and are a user turn where the gap has none: newer models bind their thinking to all that stood
 * before it, the system prompt included (platform.claude.com, "Prefix checks on thinking blocks"), so that nothing may join that later.
 * Where the model has no system turns they do join it. A warning says what is not where it was.
 */
function closeGap(gap: Gap, { system, turns }: Written, { traits, provider, call }: ConversationContext): void {
  const content = [...gap.results, ...gap.rest];
  const isAhead = turns.length === 0;
  const prompt = gap.system.filter(({ behind }) => isAhead && behind === 0);
  const later = gap.system.filter((message) => !prompt.includes(message) && message.blocks.length > 0);
  system.push(...prompt.flatMap(({ blocks }) => blocks));
  if (content.length > 0) turns.push({ role: "user", content: compact(content) });
  if (later.length === 0) return;
  const blocks = later.flatMap((message) => message.blocks);
  const place = !traits.hasSystemTurns ? "prompt" : content.length > 0 ? "system" : "user";
  if (place === "prompt") system.push(...blocks);
  else turns.push({ role: place, content: compact(blocks) });
  for (const { path, behind } of later) {
    if (place === "system" && behind === content.length) continue;
    call.warn(`\`${path}\` ${outcomes[place]}: ${provider} takes no system message there`);
  }
}

/** What becomes of a system message that cannot stay where it is. */
const outcomes = {
  prompt: "is moved to the system prompt",
  system: "is moved behind the user's turn",
  user: "is said by the user",
} as const;

/** A lone text as a string, as people write it. */
function compact(blocks: readonly Block[]): string | readonly Block[] {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" && only.cache_control === undefined ? only.text : blocks;
}

function writeToolResult({ tool_call_id, content }: ChatMessage, place: Place): Block {
  if (!tool_call_id) throw invalidRequest(`${place.path}.tool_call_id`, "is missing.");
  const blocks = writeContent(content, place);
  const result = { type: "tool_result", tool_use_id: wireId(tool_call_id) } as const;
  return blocks.length === 0 ? result : { ...result, content: compact(blocks) };
}

function writeAssistant(message: ChatMessage, place: Place): Block[] {
  if (message.audio) throw unsupported(`${place.path}.audio`, `cannot be sent: ${place.provider} takes no audio.`);
  const text = writeText(message.content, place);
  const said = [...text, ...writeText(message.refusal, place)];
  const calls = (message.tool_calls ?? []).map((call, at) => writeToolCall(call, `${place.path}.tool_calls.${at}`));
  return interleave(signedThoughts(message, place), [...said, ...calls]);
}

interface Thought {
  readonly index: number;
  readonly block: Block;
}

/** Thinking blocks byte for byte; text without a signature would be refused and stays behind, with a warning. */
function signedThoughts(message: ChatMessage, place: Place): Thought[] {
  return ownReasoning(message, reasoningFormat, place).flatMap(
    ({ type, text, signature, data, index = 0 }): Thought[] => {
      if (type === "reasoning.encrypted" && data) return [{ index, block: { type: "redacted_thinking", data } }];
      if (type === "reasoning.text" && signature) {
        return [{ index, block: { type: "thinking", thinking: text ?? "", signature } }];
      }
      place.call.warn(`\`${place.path}.reasoning_details\` without a signature are not sent to ${place.provider}`);
      return [];
    },
  );
}

/** Thoughts at the places their `index` names, the other blocks around them in order. */
function interleave(thoughts: readonly Thought[], blocks: readonly Block[]): Block[] {
  const woven: Block[] = [];
  let used = 0;
  for (const { index, block } of thoughts) {
    while (woven.length < index && used < blocks.length) woven.push(blocks[used++] as Block);
    woven.push(block);
  }
  return [...woven, ...blocks.slice(used)];
}

function writeToolCall({ id, type, function: called }: ToolCall, path: string): Block {
  if (type !== undefined && type !== "function")
    throw unsupported(path, `of type ${type} cannot be sent to this provider.`);
  if (!id) throw invalidRequest(`${path}.id`, "is missing.");
  if (!called?.name) throw invalidRequest(`${path}.function.name`, "is missing.");
  const input = parseArguments(called.arguments);
  if (input === undefined) throw invalidRequest(`${path}.function.arguments`, "must be the text of a JSON object.");
  return { type: "tool_use", id: wireId(id), name: called.name, input };
}

/** Identifiers of other vendors may hold characters that this one refuses; each becomes its code, the same in call and result. */
function wireId(id: string): string {
  return /^[\w-]+$/.test(id)
    ? id
    : id.replace(/[^\w-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}

/** True when the conversation ends in tool results whose calls come without signed thinking of this vendor. */
export function isUnsignedLoop(messages: readonly ChatMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === "assistant" || role === "user");
  if (last?.role !== "assistant" || !last.tool_calls?.length) return false;
  const details = last.reasoning_details ?? [];
  return !details.some(({ type, format, signature, data }) => {
    const isOwn = format === undefined || format === reasoningFormat;
    return isOwn && (type === "reasoning.encrypted" ? Boolean(data) : type === "reasoning.text" && Boolean(signature));
  });
}
