import type { ChatMessage, ContentPart } from "../../../src/api/message.ts";
import { type InlineContent, mediaTypeOf, readDataUrl } from "../chat/data-url.ts";
import { invalidRequest, type Translation, unsupported } from "../chat/fields.ts";
import type { Block, CacheMark, TextBlock } from "./wire.ts";

/** Where content stands in the request, e.g. `messages.3`, for errors and warnings that name it. */
export interface Place extends Translation {
  readonly path: string;
}

type PartOf<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;

/** The blocks of a user's or a tool's content; empty texts, which the vendor refuses, are left out. */
export function writeContent(content: ChatMessage["content"], place: Place): Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  return content.flatMap((part, at) => writePart(part, { ...place, path: `${place.path}.content.${at}` }));
}

/** The text blocks of content that can only be text: system, developer and assistant messages. */
export function writeText(content: ChatMessage["content"], { path, provider }: Place): TextBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textBlocks(content);
  return content.flatMap((part, at) => {
    if (part.type === "text") return textBlocks(part.text, part.cache_control);
    if (part.type === "refusal") return textBlocks(part.refusal, part.cache_control);
    throw unsupported(`${path}.content.${at}`, `of type ${part.type} cannot be sent to ${provider} in this role.`);
  });
}

function textBlocks(text: string, mark?: ContentPart["cache_control"]): TextBlock[] {
  return text === "" ? [] : [{ type: "text", text, ...cacheMark(mark) }];
}

/** `cache_control` as the vendor has it. */
export function cacheMark(mark: ContentPart["cache_control"]): { cache_control?: CacheMark } {
  if (!mark) return {};
  return { cache_control: { type: mark.type, ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) } };
}

function writePart(part: ContentPart, place: Place): Block[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text, part.cache_control);
    case "refusal":
      return textBlocks(part.refusal, part.cache_control);
    case "image_url":
      return [writeImage(part, place)];
    case "file":
      return [writeFile(part, place)];
    case "input_audio":
      throw unsupported(place.path, `of type input_audio cannot be sent: ${place.provider} takes no audio.`);
  }
}

function writeImage({ image_url, cache_control }: PartOf<"image_url">, place: Place): Block {
  const { url, detail } = image_url;
  if (detail !== undefined && detail !== "auto") {
    place.call.warn(`\`${place.path}.image_url.detail\` is not supported by ${place.provider}`);
  }
  if (/^https?:/i.test(url)) return { type: "image", source: { type: "url", url }, ...cacheMark(cache_control) };
  const inline = readDataUrl(url);
  if (inline === undefined) throw unsupported(`${place.path}.image_url.url`, "must be an http, https or data URL.");
  return { ...inlineBlock(inline, { ...place, path: `${place.path}.image_url.url` }), ...cacheMark(cache_control) };
}

/** Blocks that can carry a cache mark. */
type Media = Extract<Block, { type: "image" | "document" }>;

function inlineBlock({ mediaType, base64 }: InlineContent, { path, provider }: Place): Media {
  if (mediaType.startsWith("image/")) {
    return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } };
  }
  if (mediaType === "application/pdf") {
    return { type: "document", source: { type: "base64", media_type: mediaType, data: base64 } };
  }
  if (mediaType.startsWith("text/") || mediaType === "application/json") {
    const data = Buffer.from(base64, "base64").toString("utf8");
    return { type: "document", source: { type: "text", media_type: "text/plain", data } };
  }
  throw unsupported(path, `of type ${mediaType} cannot be sent to ${provider}.`);
}

function writeFile({ file, cache_control }: PartOf<"file">, place: Place): Block {
  const block = file.file_data === undefined ? distantFile(file, place) : inlineFile(file, file.file_data, place);
  const titled = block.type === "document" && file.filename !== undefined ? { title: file.filename } : {};
  return { ...block, ...titled, ...cacheMark(cache_control) };
}

type FileContent = PartOf<"file">["file"];

function inlineFile({ filename }: FileContent, content: string, place: Place): Media {
  const plain = { mediaType: mediaTypeOf(filename) ?? "application/pdf", base64: content };
  return inlineBlock(readDataUrl(content) ?? plain, { ...place, path: `${place.path}.file.file_data` });
}

function distantFile({ file_id, file_url, filename }: FileContent, { path }: Place): Media {
  if (file_id === undefined && file_url === undefined) {
    throw invalidRequest(`${path}.file`, "needs `file_data`, `file_id` or `file_url`.");
  }
  const source = file_id === undefined ? { type: "url", url: file_url ?? "" } : { type: "file", file_id };
  const isImage = mediaTypeOf(filename ?? file_url)?.startsWith("image/") === true;
  return { type: isImage ? "image" : "document", source } as Media;
}
