/** Why an answer ended: the finish reasons that every vendor has a word for. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "error";

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["error", "error"],
]);

/**
 * The finish reason of an answer. A vendor's own word counts as `stop`, and so does an absent one; an answer with tool calls that ends
 * with `stop` ends with `tool_calls`.
 */
export function finishReasonOf(reason: string | null | undefined, hasCalls: boolean): FinishReason {
  const known = finishReasons.get(reason ?? "") ?? "stop";
  return known === "stop" && hasCalls ? "tool_calls" : known;
}
