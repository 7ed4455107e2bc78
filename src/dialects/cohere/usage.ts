import type { Usage } from "../../api/usage.ts";

/** Tokens of prompt and completion. */
export interface WireUnits {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

/** `usage` of `POST /v2/chat` as it comes. */
export interface CohereWireUsage {
  readonly billed_units?: WireUnits;
  readonly tokens?: WireUnits;
  readonly cached_tokens?: number;
}

/**
 * The vendor's usage in our form. The vendor counts twice: `tokens` includes its own prompt around the caller's, `billed_units` is what
 * it charges for, and so what we report. Returns `undefined` when a count is not a count, or when there are none.
 */
export function readUsage(wire: CohereWireUsage | undefined): Usage | undefined {
  const counted = wire?.billed_units ?? wire?.tokens;
  const { input_tokens: input = wire?.tokens?.input_tokens, output_tokens: output = wire?.tokens?.output_tokens } =
    counted ?? {};
  if ((input ?? output) === undefined || isBroken(input) || isBroken(output)) return undefined;
  const prompt = countOf(input);
  const completion = countOf(output);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const cached = wire?.cached_tokens;
  if (cached === undefined) return usage;
  return { ...usage, prompt_tokens_details: { cached_read_tokens: Math.min(countOf(cached), prompt) } };
}

/** Unlike those of other vendors, counts may be fractions here: they are declared as `double`. They are rounded up. */
function countOf(value: unknown): number {
  return isBroken(value) ? 0 : Math.ceil((value as number | undefined) ?? 0);
}

function isBroken(value: unknown): boolean {
  return value !== undefined && !(Number.isFinite(value) && (value as number) >= 0);
}

/** Our usage in the vendor's form: what is billed and what was used are the same. */
export function writeUsage({ prompt_tokens, completion_tokens, prompt_tokens_details }: Usage) {
  const tokens = { input_tokens: prompt_tokens, output_tokens: completion_tokens };
  const cached = prompt_tokens_details?.cached_read_tokens;
  return { billed_units: tokens, tokens, ...(cached === undefined ? {} : { cached_tokens: cached }) };
}
