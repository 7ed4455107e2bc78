import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { referenceText } from "../../../src/engine/dialects/anthropic/content.ts";
import { unsupported } from "../../../src/engine/dialects/refusals.ts";
import { writeConversation } from "../../shared/anthropic/conversation.ts";
import type { ClaudeTraits } from "../../shared/anthropic/traits.ts";
import type { AnthropicCacheControl, AnthropicMessageTurn, Block, TextBlock } from "../../shared/anthropic/wire.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { CachePoint, ConverseBlock, ConverseMessage, DocumentBlock, ToolResultBlock } from "./wire.ts";

/** A conversation as Converse has it. Its blocks are Anthropic's under other names, and so they are made from those. */
export interface ConverseConversation {
  readonly system: readonly (ToolResultBlock | CachePoint)[];
  readonly messages: readonly ConverseMessage[];
}

interface BlockContext extends Translation {
  readonly traits: ClaudeTraits;
}

/** Writes messages as turns of user and assistant; what cannot be sent throws `invalid_request`. */
export function writeMessages(messages: readonly ChatMessage[], context: BlockContext): ConverseConversation {
  checkImages(messages, context);
  const { system, turns } = writeConversation(messages, {
    ...context,
    traits: { ...context.traits, hasSystemTurns: false },
  });
  const names = new Set<string>();
  return {
    system: system.flatMap((block): (ToolResultBlock | CachePoint)[] => [{ text: block.text }, ...cachePoint(block)]),
    messages: alternating(turns.map((turn) => writeTurn(turn, names))),
  };
}

/** Turns of one side that follow each other are one: the vendor wants the sides in alternation. */
function alternating(messages: readonly ConverseMessage[]): ConverseMessage[] {
  const joined: ConverseMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
  }
  return joined;
}

/** Images are sent as bytes: the vendor does not fetch URLs. */
function checkImages(messages: readonly ChatMessage[], { provider }: BlockContext): void {
  for (const [at, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [n, part] of content.entries()) {
      const path = `messages.${at}.content.${n}`;
      if (part.type === "image_url" && !/^data:/i.test(part.image_url.url)) {
        throw unsupported(`${path}.image_url.url`, `must be a data URL: ${provider} fetches no images.`);
      }
      if (part.type === "file" && isOnlyNamed(part.file)) {
        throw unsupported(`${path}.file`, `needs \`file_data\`: ${provider} fetches no files.`);
      }
    }
  }
}

/** One that is not there at all is the caller's fault, as for every vendor. */
function isOnlyNamed(file: { file_data?: unknown; file_id?: unknown; file_url?: unknown }): boolean {
  return file.file_data === undefined && (file.file_id ?? file.file_url) !== undefined;
}

function writeTurn({ role, content }: AnthropicMessageTurn, names: Set<string>): ConverseMessage {
  const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const written = blocks.flatMap((block) => writeBlock(block, names));
  return {
    role: role === "assistant" ? "assistant" : "user",
    content: blocks.some(({ type }) => type === "document") ? withText(written) : written,
  };
}

/** The vendor refuses a document without any text next to it. */
function withText(blocks: readonly ConverseBlock[]): ConverseBlock[] {
  return blocks.some((block) => "text" in block) ? [...blocks] : [...blocks, { text: "See the document." }];
}

function writeBlock(block: Block, names: Set<string>): ConverseBlock[] {
  switch (block.type) {
    case "text":
    case "image":
    case "document":
      return [writeMedia(block, names), ...cachePoint(block)];
    case "thinking":
      return [{ reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } }];
    case "redacted_thinking":
      return [{ reasoningContent: { redactedContent: block.data } }];
    case "tool_reference":
      return [{ text: referenceText(block.tool_name) }, ...cachePoint(block)];
    case "tool_use":
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    case "tool_result":
      return writeResult(block, names);
    default:
      return []; // blocks of Anthropic's own tools, which writeConversation has left out with a warning
  }
}

/** A result's own blocks have no room for a cache point: it follows the result. */
function writeResult(block: Extract<Block, { type: "tool_result" }>, names: Set<string>): ConverseBlock[] {
  const { content = [] } = block;
  const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const textual = blocks.map((each) => (each.type === "tool_reference" ? referenceAsText(each) : each));
  const media = textual.filter((each) => each.type === "text" || each.type === "image" || each.type === "document");
  const written = media.map((each) => writeMedia(each, names));
  const marks = media.flatMap((each) => cachePoint(each)).slice(-1);
  const failed = block.is_error ? ({ status: "error" } as const) : {};
  const output = written.length === 0 ? [{ text: "(no output)" }] : written; // an empty list or text is refused
  return [{ toolResult: { toolUseId: block.tool_use_id, content: output, ...failed } }, ...marks];
}

function referenceAsText({ tool_name, cache_control }: Extract<Block, { type: "tool_reference" }>): TextBlock {
  return { type: "text", text: referenceText(tool_name), cache_control };
}

type ConverseMedia = TextBlock | Extract<Block, { type: "image" | "document" }>;

function writeMedia(block: ConverseMedia, names: Set<string>): ToolResultBlock {
  if (block.type === "text") return { text: block.text };
  const { source } = block;
  if (block.type === "document") return writeDocument(block, names);
  if (source.type !== "base64") throw unsupported("messages", "hold an image without its bytes.");
  return { image: { format: source.media_type.replace(/^image\//, ""), source: { bytes: source.data } } };
}

function writeDocument({ source, title }: Extract<Block, { type: "document" }>, names: Set<string>): DocumentBlock {
  const name = freeName(title, names);
  if (source.type === "text") {
    const bytes = Buffer.from(source.data, "utf8").toString("base64");
    return { document: { format: "txt", name, source: { bytes } } };
  }
  if (source.type !== "base64") throw unsupported("messages", "hold a file without its bytes.");
  return { document: { format: "pdf", name, source: { bytes: source.data } } };
}

/** Names of documents are of few characters, and each is there once. */
function freeName(title: string | undefined, names: Set<string>): string {
  const plain = (title ?? "").replace(/[^A-Za-z0-9()[\]-]+/g, " ").trim() || "document";
  let name = plain;
  for (let n = 2; names.has(name); n++) name = `${plain} (${n})`;
  names.add(name);
  return name;
}

/** The cache point that a mark on a block stands for: behind it. */
export function cachePoint({
  cache_control: mark,
}: {
  readonly cache_control?: AnthropicCacheControl | undefined;
}): CachePoint[] {
  if (mark === undefined) return [];
  return [{ cachePoint: { type: "default", ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) } }];
}
