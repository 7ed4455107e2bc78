import type { LogProbs } from "../../../src/api/chat.ts";
import { isRecord } from "../http/fault.ts";

type Tokens = NonNullable<LogProbs["content"]>;

/**
 * The tokens of an answer with their log probabilities; `undefined` where one of them is none, since what belongs to a place of the text
 * is of no use once places are missing.
 */
export function readTokens(told: unknown): Tokens | undefined {
  if (!Array.isArray(told)) return undefined;
  const tokens = told.map((token) => (isRecord(token) && token.top_logprobs === null ? withoutTop(token) : token));
  return tokens.every(isToken) ? tokens : undefined;
}

function withoutTop({ top_logprobs: _none, ...token }: Record<string, unknown>): unknown {
  return token;
}

function isToken(told: unknown): told is Tokens[number] {
  if (!isRecord(told) || typeof told.token !== "string" || !Number.isFinite(told.logprob)) return false;
  const { bytes, top_logprobs: top } = told;
  const hasBytes = bytes === undefined || bytes === null || isListOf(bytes, Number.isSafeInteger);
  return hasBytes && (top === undefined || isListOf(top, isToken));
}

/** True of a list whose entries all are what they should be. */
export function isListOf(told: unknown, isOne: (entry: unknown) => boolean): boolean {
  return Array.isArray(told) && told.every(isOne);
}
