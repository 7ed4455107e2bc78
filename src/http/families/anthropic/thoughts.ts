import type { ReasoningDetail } from "../../../api/message.ts";
import { isBare, isPacked, packDetail, unpackDetail } from "../shared/envelope.ts";
import type { Part } from "../shared/parts.ts";

/** What marks reasoning as this vendor's; adapters/providers/anthropic gives and takes it under the same name. */
const reasoningFormat = "anthropic-claude-v1";

/** A thought as the vendor has it. Reasoning of other vendors travels in the texts that are opaque to the client. */
export type ThoughtBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

/** The block of a thought, whole. */
export function thoughtBlock({ text, detail = { type: "reasoning.text" } }: Part): ThoughtBlock {
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

/** Ours, or of nobody who says so, with nothing that this vendor's block has no room for. */
function isOwn({ format, id }: ReasoningDetail): boolean {
  return (format === undefined || format === reasoningFormat) && !id;
}

/** The detail that a block of a past answer stands for; `undefined` for a thought that nothing vouches for. */
export function detailOf(block: ThoughtBlock, index: number): ReasoningDetail | undefined {
  if (block.type === "redacted_thinking") {
    return (
      unpackDetail(block.data, "") ?? { type: "reasoning.encrypted", index, format: reasoningFormat, data: block.data }
    );
  }
  const { thinking, signature } = block;
  if (signature === "") return undefined;
  const packed = unpackDetail(signature, thinking);
  return packed ?? { type: "reasoning.text", index, format: reasoningFormat, text: thinking, signature };
}
