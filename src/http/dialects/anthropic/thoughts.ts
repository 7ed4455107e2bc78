import type { ReasoningDetail } from "../../../api/message.ts";
import { type AnthropicOwnBlock, ownBlockOf } from "../../../dialects/anthropic/own-blocks.ts";
import { readThought, reasoningFormat, type ThoughtBlock } from "../../../dialects/anthropic/reasoning.ts";
import { isBare, isPacked, packDetail, unpackDetail } from "../shared/envelope.ts";
import type { Part } from "../shared/parts.ts";

/** The block of a thought, or of the vendor's own tools, whole. */
export function thoughtBlock({ text, detail = { type: "reasoning.text" } }: Part): ThoughtBlock | AnthropicOwnBlock {
  const own = ownBlockOf(detail);
  if (own !== undefined) return own;
  if (detail.type === "reasoning.encrypted") return { type: "redacted_thinking", data: sealOf(detail) };
  return { type: "thinking", thinking: text, signature: signatureOf(detail) };
}

function sealOf(detail: ReasoningDetail): string {
  const { data = "" } = detail;
  return isOwn(detail) && !isPacked(data) ? data : packDetail(detail);
}

function signatureOf(detail: ReasoningDetail): string {
  const { signature, ...rest } = detail;
  const isPlain = isBare(rest, reasoningFormat) && !isPacked(signature ?? "");
  return isPlain ? (signature ?? "") : packDetail(detail);
}

/** True for a detail of this vendor, or of unknown origin, whose fields all fit into this vendor's block. */
function isOwn({ format, id }: ReasoningDetail): boolean {
  return (format === undefined || format === reasoningFormat) && !id;
}

/** The detail that a block of a past answer stands for; `undefined` for a thought that nothing vouches for. */
export function detailOf(block: ThoughtBlock, index: number): ReasoningDetail | undefined {
  if (block.type === "redacted_thinking") return unpackDetail(block.data, "") ?? readThought(block, index);
  const { thinking, signature } = block;
  return signature === "" ? undefined : (unpackDetail(signature, thinking) ?? readThought(block, index));
}
