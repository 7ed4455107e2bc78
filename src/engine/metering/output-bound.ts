/** Tokens that an answer is taken for under `soft` when the caller gave no bound. */
const softOutputTokens = 1_024;

/** Tokens that an answer is taken for under `hard` when neither the catalogue nor the caller knows a bound: more than models give today. */
const unknownOutputTokens = 131_072;

/** What is known of the length of an answer. */
export interface OutputQuestion {
  /** The largest answer that the model can give, in tokens. */
  readonly largest?: number | undefined;
  /** `max_completion_tokens` of the request. */
  readonly requested?: number | undefined;
  /** Answers that are asked for together (`n`). */
  readonly choices?: number | undefined;
  /** The target may give a longer answer than was asked for, so that `requested` bounds nothing. */
  readonly ignoresLimit?: boolean | undefined;
}

/** Tokens that an answer may have, for both enforcements (inference-resolved.md, section 7). */
export interface OutputBounds {
  readonly hard: number;
  readonly soft: number;
}

/** Answers that no vendor gives more of at once, and tokens that no answer has: what is beyond is the caller's mistake. */
const mostChoices = 1_024;
const mostTokens = 2 ** 30;

/**
 * Bounds of an answer's tokens. `hard` is the limit that was asked for, and never more than the model can give. Without such a limit,
 * or where the target does not enforce it, `hard` is the model's largest output; where that is unknown, the limit or
 * {@link unknownOutputTokens}, whichever is more. `soft` is the limit, or {@link softOutputTokens}, and never more than the model can
 * give. Both hold for all `choices` together.
 */
export function boundOutput({ largest, requested, choices = 1, ignoresLimit = false }: OutputQuestion): OutputBounds {
  const preference = requested === undefined ? undefined : clamp(requested, mostTokens);
  const longest = largest ?? Math.max(preference ?? 0, unknownOutputTokens);
  const hard = preference === undefined || ignoresLimit ? longest : Math.min(preference, longest);
  const count = Math.max(1, clamp(choices, mostChoices));
  return { hard: hard * count, soft: Math.min(preference ?? softOutputTokens, hard) * count };
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, Math.ceil(value) || 0));
}
