import type { LogProbs } from "../../../../src/engine/api/chat.ts";
import { isListOf, readTokens } from "../../../../src/engine/dialects/logprob-tokens.ts";
import { isRecord } from "../../../../src/engine/dialects/wire-values.ts";

const isNumber = (raw: unknown) => Number.isFinite(raw);

/** What the lists of the older completions hold, and those of tokens. */
const readers: ReadonlyMap<string, (raw: unknown) => unknown> = new Map([
  ["content", readTokens],
  ["refusal", readTokens],
  ["text_offset", listOf(Number.isSafeInteger)],
  ["token_logprobs", listOf(isNumber)],
  ["tokens", listOf((raw) => typeof raw === "string")],
  ["top_logprobs", listOf((raw) => isRecord(raw) && Object.values(raw).every(isNumber))],
]);

function listOf(isOne: (raw: unknown) => boolean): (raw: unknown) => unknown {
  return (raw) => (isListOf(raw, isOne) ? raw : undefined);
}

/** The log probabilities of a choice; a list that holds something else than it should is left out. */
export function readLogProbs(raw: Record<string, unknown>): LogProbs {
  const read: Record<string, unknown> = {};
  for (const field in raw) {
    const reader = readers.get(field);
    const value = reader === undefined ? raw[field] : reader(raw[field]);
    if (value !== null && value !== undefined) read[field] = value;
  }
  return read;
}
