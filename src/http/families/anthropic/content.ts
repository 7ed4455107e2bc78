import type { ContentPart } from "../../../api/message.ts";
import { dataUrl } from "../shared/content.ts";
import { type Place, warnUnkept } from "../shared/notes.ts";
import type { ResultBlock } from "./schema.ts";

type BlockOf<Type extends ResultBlock["type"]> = Extract<ResultBlock, { type: Type }>;

/** What marks a prefix for the vendor's cache. */
function cacheMark({ cache_control }: ResultBlock): Pick<ContentPart, "cache_control"> {
  return cache_control ? { cache_control } : {};
}

/** One block of a user's turn or of a tool's result; `path` of the place is that of the block. Empty texts say nothing. */
export function readBlock(block: ResultBlock, place: Place): ContentPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text, ...cacheMark(block) }];
    case "image":
      return [readImage(block)];
    case "document":
      return readDocument(block, place);
    case "search_result":
      return [readSearchResult(block)];
  }
}

function readImage(block: BlockOf<"image">): ContentPart {
  const { source } = block;
  const mark = cacheMark(block);
  if (source.type === "file") {
    // The one field of a file that can tell that it is an image.
    return { type: "file", file: { file_id: source.file_id, filename: "image.png" }, ...mark };
  }
  const url = source.type === "url" ? source.url : dataUrl(source.media_type, source.data);
  return { type: "image_url", image_url: { url }, ...mark };
}

function readDocument(block: BlockOf<"document">, place: Place): ContentPart[] {
  const { source, title } = block;
  if (source.type === "content") return readInnerBlocks(block, source, place);
  const named = title ? { filename: title } : {};
  return [{ type: "file", file: { ...fileOf(source), ...named }, ...cacheMark(block) }];
}

type DocumentSource = BlockOf<"document">["source"];

function fileOf(source: Exclude<DocumentSource, { type: "content" }>) {
  switch (source.type) {
    case "url":
      return { file_url: source.url };
    case "file":
      return { file_id: source.file_id };
    case "base64":
      return { file_data: dataUrl(source.media_type, source.data) };
    case "text":
      return { file_data: dataUrl("text/plain", Buffer.from(source.data, "utf8").toString("base64")) };
  }
}

/** A document that consists of blocks is these blocks; its mark goes to the last of them. */
function readInnerBlocks(
  block: BlockOf<"document">,
  { content }: Extract<DocumentSource, { type: "content" }>,
  place: Place,
): ContentPart[] {
  if (block.title) warnUnkept(place.notes, `${place.path}.title`);
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const parts = blocks.flatMap((inner, at) =>
    readBlock(inner, { ...place, path: `${place.path}.source.content.${at}` }),
  );
  return markLast(parts, block);
}

function readSearchResult(block: BlockOf<"search_result">): ContentPart {
  const text = [block.title, block.source, ...block.content.map((inner) => inner.text)].join("\n");
  return { type: "text", text, ...cacheMark(block) };
}

/** Parts of which the last carries the mark of the block around them. */
export function markLast(
  parts: readonly ContentPart[],
  { cache_control }: { readonly cache_control?: ContentPart["cache_control"] | null },
): ContentPart[] {
  const last = parts.at(-1);
  return cache_control && last ? [...parts.slice(0, -1), { ...last, cache_control }] : [...parts];
}
