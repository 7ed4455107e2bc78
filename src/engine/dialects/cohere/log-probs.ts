import type { LogProbs } from "../../api/chat.ts";
import { readTokens } from "../logprob-tokens.ts";

/** A piece of text with the log probabilities of its tokens. */
export interface WireLogprob {
  readonly text?: string;
  readonly logprobs?: readonly number[];
}

/** Log probabilities in our form, one token per piece: the sum of a piece is its log probability. `undefined` without any. */
export function readLogProbs(pieces: readonly WireLogprob[] | undefined): LogProbs | undefined {
  if (pieces === undefined || pieces.length === 0) return undefined;
  const tokens = pieces.map(({ text = "", logprobs = [] }) => {
    return {
      token: text,
      logprob: logprobs.reduce((sum, each) => sum + (typeof each === "number" ? each : Number.NaN), 0),
    };
  });
  const content = readTokens(tokens);
  return content && { content };
}

/** Log probabilities in the vendor's form, one piece per token. */
export function writeLogProbs(content: NonNullable<LogProbs["content"]>) {
  return content.map(({ token, logprob }) => ({ text: token, token_ids: [], logprobs: [logprob] }));
}
