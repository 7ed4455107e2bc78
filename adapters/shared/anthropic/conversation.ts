import type { ChatMessage, ToolCall } from "../../../src/engine/api/message.ts";
import { ownBlockFormat, ownBlockOf } from "../../../src/engine/dialects/anthropic/own-blocks.ts";
import { reasoningFormat, writeThought } from "../../../src/engine/dialects/anthropic/reasoning.ts";
import { inOrder, type Positioned, textsOf } from "../../../src/engine/dialects/order.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { argumentsOf } from "../chat/call-arguments.ts";
import { opener, type Translation, warnOfMessage } from "../chat/fields.ts";
import { ownReasoning } from "../chat/reasoning.ts";
import { type ContentContext, writeContent, writeText } from "./content.ts";
import type { ClaudeTraits } from "./traits.ts";
import type { AnthropicMessageTurn, Block, TextBlock } from "./wire.ts";

/** A conversation in the vendor's form: the system prompt apart from the turns. */
export interface AnthropicConversation {
  readonly system: readonly TextBlock[];
  readonly turns: readonly AnthropicMessageTurn[];
}

interface AnthropicConversationContext extends Translation {
  readonly traits: ClaudeTraits;
  /** The formats of reasoning details that may be sent; thoughts alone unless given. */
  readonly formats?: readonly string[];
}

/** The formats of reasoning details that the vendor itself takes: thoughts, and blocks of its own tools. */
export const ownFormats: readonly string[] = [reasoningFormat, ownBlockFormat];

/** What stands between two assistant messages; the vendor wants it as one user turn, tool results first. */
interface Gap {
  results: Block[];
  rest: Block[];
  /** System messages of this gap, with the place of each, and how many blocks stood before it. */
  system: { path: string; blocks: TextBlock[]; behind: number }[];
}

/** Writes messages as turns. Messages of one side that follow each other are one turn; nothing is left out but texts of white space. */
export function writeConversation(
  messages: readonly ChatMessage[],
  context: AnthropicConversationContext,
): AnthropicConversation {
  const system: TextBlock[] = [];
  const turns: AnthropicMessageTurn[] = [];
  let gap = emptyGap();
  const close = (): void => {
    closeGap(gap, { system, turns }, context);
    gap = emptyGap();
  };
  for (const [at, message] of messages.entries()) {
    const position: ContentContext = {
      provider: context.provider,
      call: context.call,
      path: `messages.${at}`,
      formats: context.formats,
    };
    warnOfMessage(message, position, ["is_error"]);
    if (message.role === "assistant") {
      const blocks = writeAssistant(message, position);
      if (blocks.length === 0) continue; // a turn that says nothing parts no user turns: Converse wants the sides in alternation
      close();
      turns.push({ role: "assistant", content: compact(blocks) });
    } else {
      addToGap(gap, message, position);
    }
  }
  close();
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: opener(context) });
  return { system, turns };
}

function emptyGap(): Gap {
  return { results: [], rest: [], system: [] };
}

function addToGap(gap: Gap, message: ChatMessage, context: ContentContext): void {
  if (message.role === "tool") gap.results.push(writeToolResult(message, context));
  else if (message.role === "user") gap.rest.push(...writeContent(message.content, context));
  else {
    const behind = gap.results.length + gap.rest.length;
    gap.system.push({ path: context.path, blocks: writeText(message.content, context), behind });
  }
}

interface WrittenConversation {
  readonly system: TextBlock[];
  readonly turns: AnthropicMessageTurn[];
}

/**
 * System messages before anything else are the system prompt. Later ones follow the user turn of their gap where the model has system
 * turns (which may stand nowhere else), and are a user turn where the gap has none: newer models bind their thinking to all that stood
 * before it, the system prompt included (platform.claude.com, "Prefix checks on thinking blocks"), so that nothing may join that later.
 * Where the model has no system turns they do join it. A warning says what is not where it was.
 */
function closeGap(
  gap: Gap,
  { system, turns }: WrittenConversation,
  { traits, provider, call }: AnthropicConversationContext,
): void {
  const content = [...gap.results, ...gap.rest];
  const isAhead = turns.length === 0;
  const prompt = gap.system.filter(({ behind }) => isAhead && behind === 0);
  const later = gap.system.filter((message) => !prompt.includes(message) && message.blocks.length > 0);
  system.push(...prompt.flatMap(({ blocks }) => blocks));
  if (content.length > 0) turns.push({ role: "user", content: compact(content) });
  if (later.length === 0) return;
  const blocks = later.flatMap((message) => message.blocks);
  const destination = !traits.hasSystemTurns ? "prompt" : content.length > 0 ? "system" : "user";
  if (destination === "prompt") system.push(...blocks);
  else turns.push({ role: destination, content: compact(blocks) });
  for (const { path, behind } of later) {
    if (destination === "system" && behind === content.length) continue;
    call.warn(`\`${path}\` ${outcomes[destination]}: ${provider} does not accept a system message there`);
  }
}

/** What becomes of a system message that cannot stay where it is. */
const outcomes = {
  prompt: "is moved to the system prompt",
  system: "is moved after the user's turn",
  user: "is sent as a user turn",
} as const;

/** A lone text as a string, as people write it. */
function compact(blocks: readonly Block[]): string | readonly Block[] {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" && only.cache_control === undefined ? only.text : blocks;
}

function writeToolResult({ tool_call_id, content, is_error }: ChatMessage, context: ContentContext): Block {
  if (!tool_call_id) throw invalidRequest(`${context.path}.tool_call_id`, "is missing.");
  const blocks = writeContent(content, context);
  const failed = is_error === true ? { is_error } : {};
  const result = { type: "tool_result", tool_use_id: wireId(tool_call_id), ...failed } as const;
  return blocks.length === 0 ? result : { ...result, content: compact(blocks) };
}

function writeAssistant(message: ChatMessage, context: ContentContext): Block[] {
  if (message.audio) throw unsupported(`${context.path}.audio`, `cannot be sent: ${context.provider} takes no audio.`);
  const texts = textsOf(message).map(({ index, block: part }) => ({ index, block: writeText([part], context) }));
  const refused = writeText(message.refusal, context);
  if (refused.length > 0) texts.push({ index: Number.MAX_SAFE_INTEGER, block: refused });
  const calls = (message.tool_calls ?? []).map((call, at) => {
    const block = writeToolCall(call, { ...context, path: `${context.path}.tool_calls.${at}` });
    return { index: call.index, block: [block] };
  });
  // white space is dropped in its place: what follows it keeps its own
  return inOrder<readonly Block[]>({ thoughts: signedThoughts(message, context), texts, calls }).flat();
}

/** Thinking blocks byte for byte; text without a signature would be refused and stays behind, with a warning. */
function signedThoughts(message: ChatMessage, context: ContentContext): Positioned<Block[]>[] {
  const formats = context.formats ?? [reasoningFormat];
  return ownReasoning(message, formats, context).flatMap((detail): Positioned<Block[]>[] => {
    const block = detail.format === ownBlockFormat ? ownBlockOf(detail) : writeThought(detail);
    if (block !== undefined) return [{ index: detail.index ?? 0, block: [block] }];
    context.call.warn(`\`${context.path}.reasoning_details\` without a signature are not sent to ${context.provider}`);
    return [];
  });
}

function writeToolCall(call: ToolCall, context: ContentContext): Block {
  const { id, type, function: called } = call;
  const { path } = context;
  if (type !== undefined && type !== "function")
    throw unsupported(path, `of type ${type} cannot be sent to this provider.`);
  if (!id) throw invalidRequest(`${path}.id`, "is missing.");
  if (!called?.name) throw invalidRequest(`${path}.function.name`, "is missing.");
  return { type: "tool_use", id: wireId(id), name: called.name, input: argumentsOf(call, context) };
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
