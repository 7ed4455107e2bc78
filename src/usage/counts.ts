import type { Usage } from "../api/usage.ts";

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

type Counts = Readonly<Record<string, unknown>>;

/** Adds numbers, and the numbers inside of details; anything else is as the first says. */
function addCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, unknown> = { ...other, ...one };
  for (const [field, value] of Object.entries(other)) {
    const own = one[field];
    if (typeof own === "number" && typeof value === "number") sum[field] = own + value;
    else if (isCounts(own) && isCounts(value)) sum[field] = addCounts(own, value);
  }
  return sum;
}

function isCounts(value: unknown): value is Counts {
  return typeof value === "object" && value !== null;
}
