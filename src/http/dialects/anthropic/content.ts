import type { ContentPart } from "../../../engine/api/message.ts";
import { readDocumentSource, readImageSource, referenceText } from "../../../engine/dialects/anthropic/content.ts";
import { type FieldPath, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import type { ResultBlock } from "./schema.ts";

type BlockOf<Type extends ResultBlock["type"]> = Extract<ResultBlock, { type: Type }>;

/** What marks a prefix for the vendor's cache. */
function cacheMark({ cache_control }: ResultBlock): Pick<ContentPart, "cache_control"> {
  return cache_control ? { cache_control } : {};
}

/** One block of a user's turn or of a tool's result; `field.path` is its path. Empty texts are dropped. */
export function readBlock(block: ResultBlock, field: FieldPath): ContentPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text, ...cacheMark(block) }];
    case "image":
      return [readImage(block)];
    case "document":
      return readDocument(block, field);
    case "search_result":
      return [readSearchResult(block)];
    case "tool_reference": {
      const { tool_name: name } = block;
      return [{ type: "text", text: referenceText(name), tool_reference: name, ...cacheMark(block) }];
    }
  }
}

function readImage(block: BlockOf<"image">): ContentPart {
  return { ...readImageSource(block.source), ...cacheMark(block) };
}

function readDocument(block: BlockOf<"document">, field: FieldPath): ContentPart[] {
  const { source, title } = block;
  if (source.type === "content") return readInnerBlocks(block, source, field);
  const named = title ? { filename: title } : {};
  return [{ type: "file", file: { ...readDocumentSource(source), ...named }, ...cacheMark(block) }];
}

/** A document that consists of blocks is these blocks; its mark goes to the last of them. */
function readInnerBlocks(
  block: BlockOf<"document">,
  { content }: Extract<BlockOf<"document">["source"], { type: "content" }>,
  field: FieldPath,
): ContentPart[] {
  if (block.title) warnUnsupportedFields(field.notes, `${field.path}.title`);
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const parts = blocks.flatMap((inner, at) =>
    readBlock(inner, { ...field, path: `${field.path}.source.content.${at}` }),
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
