import type { ReasoningDetail } from "../../api/message.ts";

/** The format that marks reasoning details as Cohere's, so that no other vendor is sent them. */
export const reasoningFormat = "cohere-v2";

/** The reasoning detail of a thought; `index` is its place in the message. */
export function thoughtDetail(index: number, text: string): ReasoningDetail {
  return { type: "reasoning.text", index, text, format: reasoningFormat };
}
