import type { LogProbs } from "../api/chat.ts";
import { isRecord } from "./wire-values.ts";

type LogprobTokens = NonNullable<LogProbs["content"]>;

/**
 * The tokens of an answer with their log probabilities; `undefined` when one of them is not a token, because a list with gaps no longer
 * matches the text.
 */
export function readTokens(raw: unknown): LogprobTokens | undefined {
  if (!Array.isArray(raw)) return undefined;
  const tokens = raw.map((token) => (isRecord(token) && token.top_logprobs === null ? withoutTop(token) : token));
  return tokens.every(isToken) ? tokens : undefined;
}

function withoutTop({ top_logprobs: _none, ...token }: Record<string, unknown>): unknown {
  return token;
}

function isToken(raw: unknown): raw is LogprobTokens[number] {
  if (!isRecord(raw) || typeof raw.token !== "string" || !Number.isFinite(raw.logprob)) return false;
  const { bytes, top_logprobs: top } = raw;
  const hasBytes = bytes === undefined || bytes === null || isListOf(bytes, Number.isSafeInteger);
  return hasBytes && (top === undefined || isListOf(top, isToken));
}

/** True for a list of which every entry passes. */
export function isListOf(raw: unknown, isOne: (entry: unknown) => boolean): boolean {
  return Array.isArray(raw) && raw.every(isOne);
}
