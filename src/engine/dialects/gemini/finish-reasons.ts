import type { FinishReason } from "../finish-reason.ts";

/** The vendor's finish reasons and ours. `FUNCTION_CALL` is not documented, but sent by servers that speak the vendor's language. */
const finishReasons = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  FUNCTION_CALL: "tool_calls",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MODEL_ARMOR: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
} as const satisfies Record<string, FinishReason>;

/** Our finish reasons in the vendor's words. It has none of its own for an answer that ends in tool calls. */
const vendorReasons: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
  error: "OTHER",
};

const byVendorReason: ReadonlyMap<string, FinishReason> = new Map(Object.entries(finishReasons));

/** Every finish reason of the vendor that has a counterpart other than `error`. */
export const geminiFinishReasons: readonly string[] = Object.keys(finishReasons);

/** The finish reason of a candidate; `error` for every reason that is not the end of a usable answer. */
export function readFinishReason(reason: string | undefined, hasCalls: boolean): FinishReason {
  if (reason === "STOP" && hasCalls) return "tool_calls";
  return byVendorReason.get(reason ?? "") ?? "error";
}

/** The vendor's finish reason. A call whose arguments cannot be written is not a whole answer: the vendor has a reason for that. */
export function writeFinishReason(reason: FinishReason, hasBrokenCalls: boolean): string {
  return hasBrokenCalls && reason === "tool_calls" ? "MALFORMED_FUNCTION_CALL" : vendorReasons[reason];
}
