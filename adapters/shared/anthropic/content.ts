import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";
import { type MediaBlock, writeDistantFile, writeInline } from "../../../src/engine/dialects/anthropic/content.ts";
import { type InlineContent, mediaTypeOf, readDataUrl, readInlineFile } from "../../../src/engine/dialects/content.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import type { Translation } from "../chat/fields.ts";
import type { AnthropicCacheControl, Block, TextBlock } from "./wire.ts";

/** Where content stands in the request, e.g. `messages.3`, for errors and warnings that name it. */
export interface ContentContext extends Translation {
  readonly path: string;
  readonly formats?: readonly string[] | undefined;
}

type AnthropicPartOf<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;

/** The blocks of a user's or a tool's content; texts of nothing but white space, which the vendor refuses, are left out. */
export function writeContent(content: ChatMessage["content"], context: ContentContext): Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  return writeParts(content, context, writePart);
}

/** The blocks of parts. A mark on white space, which is left out, goes to the block before it: the same prompt is cached. */
function writeParts<Written extends Block>(
  content: readonly ContentPart[],
  context: ContentContext,
  write: (part: ContentPart, context: ContentContext) => Written[],
): Written[] {
  const blocks: Written[] = [];
  for (const [at, part] of content.entries()) {
    const path = `${context.path}.content.${at}`;
    const written = write(part, { ...context, path });
    blocks.push(...written);
    if (written.length > 0 || !part.cache_control) continue;
    const last = blocks.pop();
    if (last === undefined) context.call.warn(`\`${path}.cache_control\` is left out with its white space`);
    else blocks.push({ ...cacheMark(part.cache_control), ...last });
  }
  return blocks;
}

/** The text blocks of content that can only be text: system, developer and assistant messages. */
export function writeText(content: ChatMessage["content"], context: ContentContext): TextBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  return writeParts(content, context, (part, { path, provider }) => {
    if (part.type === "text") return textBlocks(part.text, part.cache_control);
    if (part.type === "refusal") return textBlocks(part.refusal, part.cache_control);
    throw unsupported(path, `of type ${part.type} cannot be sent to ${provider} in this role.`);
  });
}

function textBlocks(text: string, mark?: ContentPart["cache_control"]): TextBlock[] {
  return text.trim() === "" ? [] : [{ type: "text", text, ...cacheMark(mark) }];
}

/** `cache_control` as the vendor has it. */
export function cacheMark(mark: ContentPart["cache_control"]): { cache_control?: AnthropicCacheControl } {
  if (!mark) return {};
  return { cache_control: { type: mark.type, ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) } };
}

function writePart(part: ContentPart, context: ContentContext): Block[] {
  switch (part.type) {
    case "text":
      if (part.tool_reference !== undefined)
        return [{ type: "tool_reference", tool_name: part.tool_reference, ...cacheMark(part.cache_control) }];
      return textBlocks(part.text, part.cache_control);
    case "refusal":
      return textBlocks(part.refusal, part.cache_control);
    case "image_url":
      return [writeImage(part, context)];
    case "file":
      return [writeFile(part, context)];
    case "input_audio":
      throw unsupported(context.path, `of type input_audio cannot be sent: ${context.provider} takes no audio.`);
  }
}

function writeImage({ image_url, cache_control }: AnthropicPartOf<"image_url">, context: ContentContext): Block {
  const { url, detail } = image_url;
  if (detail !== undefined && detail !== "auto") {
    context.call.warn(`\`${context.path}.image_url.detail\` is not supported by ${context.provider}`);
  }
  if (/^https?:/i.test(url)) return { type: "image", source: { type: "url", url }, ...cacheMark(cache_control) };
  const inline = readDataUrl(url, "caller");
  if (inline === undefined) throw unsupported(`${context.path}.image_url.url`, "must be an http, https or data URL.");
  return { ...inlineBlock(inline, { ...context, path: `${context.path}.image_url.url` }), ...cacheMark(cache_control) };
}

function writeFile({ file, cache_control }: AnthropicPartOf<"file">, context: ContentContext): Block {
  const block = file.file_data === undefined ? distantFile(file, context) : inlineFile(file, file.file_data, context);
  const titled = block.type === "document" && file.filename !== undefined ? { title: file.filename } : {};
  return { ...block, ...titled, ...cacheMark(cache_control) };
}

type AnthropicFile = AnthropicPartOf<"file">["file"];

function inlineBlock(inline: InlineContent, { path, provider }: ContentContext): MediaBlock {
  const block = writeInline(inline);
  if (block === undefined) throw unsupported(path, `of type ${inline.mediaType} cannot be sent to ${provider}.`);
  return block;
}

function inlineFile({ filename }: AnthropicFile, fileData: string, context: ContentContext): MediaBlock {
  const path = `${context.path}.file.file_data`;
  const inline = readInlineFile(fileData, mediaTypeOf(filename) ?? "application/pdf");
  if (inline === undefined) throw invalidRequest(path, "is not a well-formed data URL.");
  return inlineBlock(inline, { ...context, path });
}

function distantFile(file: AnthropicFile, { path }: ContentContext): MediaBlock {
  const block = writeDistantFile(file);
  if (block === undefined) throw invalidRequest(`${path}.file`, "needs `file_data`, `file_id` or `file_url`.");
  return block;
}
