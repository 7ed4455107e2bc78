/** How an answer ends, in the words that every dialect has one for. */
export type Finish = "stop" | "length" | "tool_calls" | "content_filter" | "error";

const finishes: Readonly<Record<string, Finish>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
  error: "error",
};

/** The end of an answer; vendors' own words for it count as `stop`, and so does none; calls that end with `stop` are `tool_calls`. */
export function finishOf(reason: string | null | undefined, hasCalls: boolean): Finish {
  const finish = finishes[reason ?? ""] ?? "stop";
  return finish === "stop" && hasCalls ? "tool_calls" : finish;
}
