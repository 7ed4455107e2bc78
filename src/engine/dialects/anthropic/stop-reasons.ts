import type { Ending } from "../../api/chat.ts";
import type { FinishReason } from "../finish-reason.ts";

/** The vendor's stop reasons and the finish reason of each; the last two are Bedrock's. A paused turn can be continued, and so is cut off. */
const finishReasons = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  pause_turn: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
  malformed_model_output: "error",
  malformed_tool_use: "error",
} as const satisfies Record<string, FinishReason>;

export type AnthropicStopReason = keyof typeof finishReasons;

/** The stop reason of each finish reason. The vendor has none for an answer that ended by an error. */
const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const satisfies Record<Exclude<FinishReason, "error">, AnthropicStopReason>;

/** Stop reasons of which the finish reason says less: they travel as `native_finish_reason`. */
const nativeReasons: ReadonlySet<string> = new Set<AnthropicStopReason>([
  "pause_turn",
  "model_context_window_exceeded",
]);

/** What of a stop the finish reason does not say. */
export function readEnding(reason: string, sequence: string | undefined): Ending {
  if (reason === "stop_sequence") return { stop_sequence: sequence ?? null };
  return nativeReasons.has(reason) ? { native_finish_reason: reason } : {};
}

const byStopReason: ReadonlyMap<string, FinishReason> = new Map(Object.entries(finishReasons));

/** Every stop reason that is known here. */
export const anthropicStopReasons: readonly string[] = Object.keys(finishReasons);

/** The finish reason of a vendor's stop reason; `undefined` for one that is unknown. */
export function readStopReason(reason: string): FinishReason | undefined {
  return byStopReason.get(reason);
}

/** The vendor's stop reason for a finish reason, and for what is known of the end beside it. */
export function writeStopReason(
  reason: Exclude<FinishReason, "error">,
  { stop_sequence: sequence, native_finish_reason: native }: Ending = {},
): AnthropicStopReason {
  if (reason === "stop" && sequence !== undefined) return "stop_sequence";
  if (isNative(native) && finishReasons[native] === reason) return native;
  return stopReasons[reason];
}

function isNative(reason: string | null | undefined): reason is AnthropicStopReason {
  return nativeReasons.has(reason ?? "");
}
