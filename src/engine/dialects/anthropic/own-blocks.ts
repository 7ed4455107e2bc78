import type { ReasoningDetail } from "../../api/message.ts";
import { isRecord, parseJson } from "../wire-values.ts";

/** The format of details that are blocks of the vendor's own tools; `data` is the block as JSON. */
export const ownBlockFormat = "anthropic-block-v1";

const types = [
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "mcp_tool_use",
  "mcp_tool_result",
  "container_upload",
] as const;

/** A block that the vendor's own tools leave in a conversation; no other vendor accepts one. */
export type AnthropicOwnBlock = Readonly<Record<"type", (typeof types)[number]>>;

/** Every type of such blocks. */
export const ownBlockTypes = types;

const known: ReadonlySet<unknown> = new Set(types);

/** True for a block of the vendor's own tools. */
export function isOwnBlock(block: unknown): block is AnthropicOwnBlock {
  return isRecord(block) && known.has(block.type);
}

/** The detail that a block travels as; `index` is its place among the parts of the message. */
export function ownBlockDetail(block: AnthropicOwnBlock, index: number): ReasoningDetail {
  return { type: "reasoning.encrypted", index, format: ownBlockFormat, data: JSON.stringify(block) };
}

/** The block of a detail, with all its fields; undefined for any other detail. */
export function ownBlockOf({ format, data = "" }: ReasoningDetail): AnthropicOwnBlock | undefined {
  const block = format === ownBlockFormat ? parseJson(data) : undefined;
  return isOwnBlock(block) ? block : undefined;
}
