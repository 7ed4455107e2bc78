import type { Usage } from "../../api/usage.ts";

/** Tokens of prompt and completion. */
export interface WireUnits {
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
}

/** `usage` of `POST /v2/chat` as it comes. */
export interface CohereWireUsage {
  readonly billed_units?: WireUnits;
  readonly tokens?: WireUnits;
  readonly cached_tokens?: number;
}

/**
 * The vendor's usage in our form. The vendor counts twice: `tokens` includes its own prompt around the caller's, and is what we report;
 * `billed_units` is what it charges for, and stands next to where it differs. Returns `undefined` when a count is not a count, or when
 * there are none.
 */
export function readUsage(wire: CohereWireUsage | undefined): Usage | undefined {
  const { billed_units: charged, tokens } = wire ?? {};
  const input = tokens?.input_tokens ?? charged?.input_tokens;
  const output = tokens?.output_tokens ?? charged?.output_tokens;
  if ((input ?? output) === undefined || isBroken(input) || isBroken(output)) return undefined;
  const prompt = countOf(input);
  const completion = countOf(output);
  const billed = billedOf(charged, { prompt, completion });
  const usage: Usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(billed && { billed_units: billed }),
  };
  const cached = wire?.cached_tokens;
  if (cached === undefined) return usage;
  return { ...usage, prompt_tokens_details: { cached_read_tokens: Math.min(countOf(cached), prompt) } };
}

/** What is charged for, where it is not what was counted. */
function billedOf(
  charged: WireUnits | undefined,
  { prompt, completion }: { readonly prompt: number; readonly completion: number },
): Usage["billed_units"] {
  const { input_tokens: input, output_tokens: output } = charged ?? {};
  const billed = {
    input_tokens: input === undefined || isBroken(input) ? prompt : countOf(input),
    output_tokens: output === undefined || isBroken(output) ? completion : countOf(output),
  };
  return billed.input_tokens === prompt && billed.output_tokens === completion ? undefined : billed;
}

/** Unlike those of other vendors, counts may be fractions here: they are declared as `double`. They are rounded up. */
function countOf(value: unknown): number {
  return isBroken(value) ? 0 : Math.ceil((value as number | undefined) ?? 0);
}

function isBroken(value: unknown): boolean {
  return value !== undefined && !(Number.isFinite(value) && (value as number) >= 0);
}

/** Our usage in the vendor's form: what is billed and what was used are the same unless it says otherwise. */
export function writeUsage({ prompt_tokens, completion_tokens, prompt_tokens_details, billed_units }: Usage) {
  const tokens = { input_tokens: prompt_tokens, output_tokens: completion_tokens };
  const cached = prompt_tokens_details?.cached_read_tokens;
  return { billed_units: billed_units ?? tokens, tokens, ...(cached === undefined ? {} : { cached_tokens: cached }) };
}
