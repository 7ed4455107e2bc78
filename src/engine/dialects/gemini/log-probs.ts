import type { LogProbs } from "../../api/chat.ts";
import { readTokens } from "../logprob-tokens.ts";

interface WireToken {
  readonly token?: string;
  readonly logProbability?: number;
}

/** `logprobsResult` of a candidate. */
export interface WireLogprobs {
  readonly chosenCandidates?: readonly WireToken[];
  readonly topCandidates?: readonly { readonly candidates?: readonly WireToken[] }[];
}

/** Log probabilities of the chosen tokens, with the alternatives to each; `undefined` without any. */
export function readLogProbs(wire: WireLogprobs | undefined): LogProbs | undefined {
  if (!wire?.chosenCandidates?.length) return undefined;
  const tokens = wire.chosenCandidates.map(({ token = "", logProbability = 0 }, at) => {
    const others = wire.topCandidates?.[at]?.candidates ?? [];
    const top = others.map((other) => ({ token: other.token ?? "", logprob: other.logProbability ?? 0 }));
    return { token, logprob: logProbability, ...(top.length === 0 ? {} : { top_logprobs: top }) };
  });
  const content = readTokens(tokens);
  return content && { content };
}

/** Log probabilities in the vendor's form; no field without any. */
export function writeLogProbs(logProbs: LogProbs | null | undefined) {
  if (!logProbs?.content) return {};
  const candidate = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob });
  const chosen = logProbs.content.map(candidate);
  const top = logProbs.content.map(({ top_logprobs: others = [] }) => ({ candidates: others.map(candidate) }));
  return { logprobsResult: { chosenCandidates: chosen, topCandidates: top } };
}
