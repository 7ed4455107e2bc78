import type { LogProbs } from "../../../src/api/chat.ts";
import { isListOf, readTokens } from "../chat/logprobs.ts";
import { isRecord } from "../http/fault.ts";

const isNumber = (told: unknown) => Number.isFinite(told);

/** What the lists of the older completions hold, and those of tokens. */
const readers: ReadonlyMap<string, (told: unknown) => unknown> = new Map([
  ["content", readTokens],
  ["refusal", readTokens],
  ["text_offset", listOf(Number.isSafeInteger)],
  ["token_logprobs", listOf(isNumber)],
  ["tokens", listOf((told) => typeof told === "string")],
  ["top_logprobs", listOf((told) => isRecord(told) && Object.values(told).every(isNumber))],
]);

function listOf(isOne: (told: unknown) => boolean): (told: unknown) => unknown {
  return (told) => (isListOf(told, isOne) ? told : undefined);
}

/** The log probabilities of a choice; a list that holds something else than it should is left out. */
export function readLogProbs(told: Record<string, unknown>): LogProbs {
  const read: Record<string, unknown> = {};
  for (const field in told) {
    const reader = readers.get(field);
    const value = reader === undefined ? told[field] : reader(told[field]);
    if (value !== null && value !== undefined) read[field] = value;
  }
  return read;
}
