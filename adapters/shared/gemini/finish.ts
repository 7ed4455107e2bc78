import { readFinishReason } from "../../../src/engine/dialects/gemini/finish-reasons.ts";
import { optionalText } from "../../../src/engine/dialects/wire-values.ts";
import type { Translation } from "../chat/fields.ts";
import type { WireCandidate, WireResponse } from "./wire.ts";

/** The `finish_reason` of a candidate; the vendor has no word of its own for an answer that ends in calls. */
export function finishReasonOf(
  { finishReason, finishMessage }: WireCandidate,
  hasCalls: boolean,
  { call }: Translation,
): string {
  const known = readFinishReason(finishReason, hasCalls);
  if (known !== "error") return known;
  const message = optionalText(finishMessage);
  call.warn(`the answer ended with ${finishReason}${message === undefined ? "" : `: ${message}`}`);
  return "error";
}

/** True for a candidate that has come to its end. */
export function isFinished({ finishReason }: WireCandidate): boolean {
  return optionalText(finishReason) !== undefined && finishReason !== "FINISH_REASON_UNSPECIFIED";
}

/** Why the prompt itself was blocked, in the vendor's words; `undefined` when it was not. */
export function blockOf({ promptFeedback }: WireResponse): string | undefined {
  const reason = optionalText(promptFeedback?.blockReason);
  if (reason === undefined) return undefined;
  return optionalText(promptFeedback?.blockReasonMessage) ?? `The prompt was blocked: ${reason}.`;
}
