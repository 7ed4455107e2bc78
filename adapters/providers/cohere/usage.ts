import type { LogProbs } from "../../../src/api/chat.ts";
import type { Usage } from "../../../src/api/usage.ts";
import type { WireLogprob, WireUsage } from "./wire.ts";

/**
 * Usage as every provider gives it. The vendor counts twice: `tokens` has its own prompt around the caller's, `billed_units` is what it
 * charges for, and that is what a bill must be made of.
 */
export function toUsage(wire: WireUsage | undefined): Usage | undefined {
  const counted = wire?.billed_units ?? wire?.tokens;
  if (counted === undefined) return undefined;
  const prompt = count(counted.input_tokens ?? wire?.tokens?.input_tokens);
  const completion = count(counted.output_tokens ?? wire?.tokens?.output_tokens);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const cached = wire?.cached_tokens;
  if (cached === undefined) return usage;
  return { ...usage, prompt_tokens_details: { cached_read_tokens: Math.min(count(cached), prompt) } };
}

function count(value: unknown): number {
  return typeof value === "number" && value >= 0 ? Math.ceil(value) : 0;
}

/** The vendor tells a piece of text with the log probabilities of its tokens; their sum is that of the piece. */
export function toLogProbs(told: readonly WireLogprob[] | undefined): LogProbs | undefined {
  if (told === undefined || told.length === 0) return undefined;
  const content = told.map(({ text = "", logprobs = [] }) => {
    return { token: text, logprob: logprobs.reduce((sum, each) => sum + each, 0) };
  });
  return { content };
}
