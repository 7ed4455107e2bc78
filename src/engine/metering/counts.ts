import type { Usage } from "../api/usage.ts";

/** Tokens that no answer has: what is beyond is no count, and could not be summed exactly. */
const mostTokens = 2 ** 40;

/**
 * A usage fit for the ledger: whole numbers, a missing count is zero, the total is their sum. `undefined` for one that reports
 * neither count, or something other than a count: negative, broken, or beyond what can be summed.
 */
export function soundUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const prompt = prompt_tokens ?? 0;
  const completion = completion_tokens ?? 0;
  if (!isCount(prompt) || !isCount(completion) || (prompt_tokens ?? completion_tokens) === undefined) return undefined;
  const total = prompt + completion;
  if (prompt_tokens === prompt && completion_tokens === completion && total_tokens === total) return usage;
  return { ...usage, prompt_tokens: prompt, completion_tokens: completion, total_tokens: total };
}

/** A detail of a count: never more than its parent, none where it is no count. */
export function partOf(detail: unknown, parent: number): number {
  return isCount(detail) ? Math.min(detail, parent) : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens;
}

/**
 * What several answers used together, without their costs, which are billed one by one; `undefined` where there is none, or where one
 * of them does not say, since a sum without it would be wrong.
 */
export function sumUsages(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const known = usages.flatMap((usage) => (usage === undefined ? [] : [withoutCost(usage)]));
  const [first, ...rest] = known;
  if (first === undefined || known.length < usages.length) return undefined;
  return rest.reduce((sum, usage) => addCounts(sum, usage) as Usage, first);
}

function withoutCost({ cost: _cost, ...counts }: Usage): Usage {
  return counts;
}

type RawCounts = Readonly<Record<string, unknown>>;

/** Adds numbers, and the numbers inside of details; anything else is as the first says. */
function addCounts(one: RawCounts, other: RawCounts): RawCounts {
  const sum: Record<string, unknown> = { ...other, ...one };
  for (const [field, value] of Object.entries(other)) {
    const own = one[field];
    if (typeof own === "number" && typeof value === "number") sum[field] = own + value;
    else if (isCounts(own) && isCounts(value)) sum[field] = addCounts(own, value);
  }
  return sum;
}

function isCounts(value: unknown): value is RawCounts {
  return typeof value === "object" && value !== null;
}
