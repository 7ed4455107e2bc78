import type { LogProbs } from "../../../src/api/chat.ts";
import type { Translation } from "../chat/fields.ts";
import { readTokens } from "../chat/logprobs.ts";
import { asideOf } from "../chat/odd.ts";
import type { WireCandidate, WireLogprobs, WireResponse } from "./wire.ts";

const filtered =
  "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII MODEL_ARMOR IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION";

/**
 * How answers end, in the words of the wire; what is not here went wrong and is `error`. `FUNCTION_CALL` is no word of the vendor's
 * documentation, but of servers that speak its language.
 */
const finishReasons = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ["FUNCTION_CALL", "tool_calls"],
  ...filtered.split(" ").map((reason): [string, string] => [reason, "content_filter"]),
]);

/** The `finish_reason` of a candidate; the vendor has no word of its own for an answer that ends in calls. */
export function finishReasonOf(
  { finishReason, finishMessage }: WireCandidate,
  hasCalls: boolean,
  { call }: Translation,
): string {
  if (finishReason === "STOP" && hasCalls) return "tool_calls";
  const known = finishReasons.get(finishReason ?? "");
  if (known !== undefined) return known;
  const message = asideOf(finishMessage);
  call.warn(`the answer ended with ${finishReason}${message === undefined ? "" : `: ${message}`}`);
  return "error";
}

/** True for a candidate that has come to its end. */
export function isFinished({ finishReason }: WireCandidate): boolean {
  return asideOf(finishReason) !== undefined && finishReason !== "FINISH_REASON_UNSPECIFIED";
}

/** Why the prompt itself was blocked, in the vendor's words; `undefined` when it was not. */
export function blockOf({ promptFeedback }: WireResponse): string | undefined {
  const reason = asideOf(promptFeedback?.blockReason);
  if (reason === undefined) return undefined;
  return asideOf(promptFeedback?.blockReasonMessage) ?? `The prompt was blocked: ${reason}.`;
}

/** Log probabilities of the chosen tokens, with the alternatives to each. */
export function logProbsOf(wire: WireLogprobs | undefined): LogProbs | undefined {
  if (!wire?.chosenCandidates?.length) return undefined;
  const told = wire.chosenCandidates.map(({ token = "", logProbability = 0 }, at) => {
    const others = wire.topCandidates?.[at]?.candidates ?? [];
    const top = others.map((other) => ({ token: other.token ?? "", logprob: other.logProbability ?? 0 }));
    return { token, logprob: logProbability, ...(top.length === 0 ? {} : { top_logprobs: top }) };
  });
  const content = readTokens(told);
  return content && { content };
}
