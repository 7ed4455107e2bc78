import { type FinishReason, finishReasonOf } from "../finish-reason.ts";

/** Words of compatible vendors for OpenAI's finish reasons. */
const synonyms: ReadonlyMap<string, FinishReason> = new Map([
  ["model_length", "length"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
]);

/** OpenAI's finish reason for a compatible vendor's; `null` for anything that is not a text, unknown words as they are. */
export function readFinishReason(reason: unknown): string | null {
  return typeof reason === "string" && reason !== "" ? (synonyms.get(reason) ?? reason) : null;
}

/** OpenAI's finish reason of an answer; `undefined` for one that ended by an error, for which OpenAI has none. */
export function writeFinishReason(
  reason: string | null,
  hasCalls: boolean,
): Exclude<FinishReason, "error"> | undefined {
  const known = finishReasonOf(reason, hasCalls);
  return known === "error" ? undefined : known;
}
