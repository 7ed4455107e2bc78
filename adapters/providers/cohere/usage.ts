import type { LogProbs } from "../../../src/api/chat.ts";
import type { Usage } from "../../../src/api/usage.ts";
import { readTokens } from "../../shared/chat/logprobs.ts";
import type { WireLogprob, WireUsage } from "./wire.ts";

/**
 * Usage as every provider gives it. The vendor counts twice: `tokens` has its own prompt around the caller's, `billed_units` is what it
 * charges for, and that is what a bill must be made of. None where no count is told, or where one is none.
 */
export function toUsage(wire: WireUsage | undefined): Usage | undefined {
  const counted = wire?.billed_units ?? wire?.tokens;
  const { input_tokens: read = wire?.tokens?.input_tokens, output_tokens: written = wire?.tokens?.output_tokens } =
    counted ?? {};
  if ((read ?? written) === undefined || isBroken(read) || isBroken(written)) return undefined;
  const prompt = count(read);
  const completion = count(written);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const cached = wire?.cached_tokens;
  if (cached === undefined) return usage;
  return { ...usage, prompt_tokens_details: { cached_read_tokens: Math.min(count(cached), prompt) } };
}

function count(value: unknown): number {
  return isBroken(value) ? 0 : Math.ceil((value as number | undefined) ?? 0);
}

/** Unlike those of other vendors, counts may be fractions here: they are declared as `double`. */
function isBroken(value: unknown): boolean {
  return value !== undefined && !(Number.isFinite(value) && (value as number) >= 0);
}

/** The vendor tells a piece of text with the log probabilities of its tokens; their sum is that of the piece. */
export function toLogProbs(told: readonly WireLogprob[] | undefined): LogProbs | undefined {
  if (told === undefined || told.length === 0) return undefined;
  const tokens = told.map(({ text = "", logprobs = [] }) => {
    return {
      token: text,
      logprob: logprobs.reduce((sum, each) => sum + (typeof each === "number" ? each : Number.NaN), 0),
    };
  });
  const content = readTokens(tokens);
  return content && { content };
}
