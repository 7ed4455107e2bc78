import type { ReasoningDetail } from "../../api/message.ts";

/** The format that marks reasoning details as Anthropic's, so that no other vendor is sent them. */
export const reasoningFormat = "anthropic-claude-v1";

/** A thought of an answer or of a past turn. */
export type ThoughtBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

/** The reasoning detail of a thought; `index` is its position among the thoughts, the text and the tool calls of the message. */
export function thoughtDetail(index: number, parts: { text?: string; signature?: string }): ReasoningDetail {
  return { type: "reasoning.text", index, format: reasoningFormat, ...parts };
}

/** The reasoning detail of an encrypted thought, with its `index` as {@link thoughtDetail} has it. */
export function redactedDetail(index: number, data: string): ReasoningDetail {
  return { type: "reasoning.encrypted", index, format: reasoningFormat, data };
}

/** The detail of a thought block as it stands. */
export function readThought(block: ThoughtBlock, index: number): ReasoningDetail {
  if (block.type === "redacted_thinking") return redactedDetail(index, block.data);
  return thoughtDetail(index, { text: block.thinking, signature: block.signature });
}

/** The block of a detail, byte for byte; `undefined` for one without a signature or encrypted data, which the vendor refuses. */
export function writeThought({ type, text, signature, data }: ReasoningDetail): ThoughtBlock | undefined {
  if (type === "reasoning.encrypted" && data) return { type: "redacted_thinking", data };
  if (type === "reasoning.text" && signature) return { type: "thinking", thinking: text ?? "", signature };
  return undefined;
}
