import type { Cost, Usage } from "../../../api/usage.ts";
import { sumUsages } from "../../../metering/counts.ts";

/** What several answers used and cost together; without counts where one of them does not say. */
export function totalUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const counts = sumUsages(usages);
  const costs = usages.flatMap((usage) => (usage?.cost ? [usage.cost] : []));
  if (!counts) return undefined;
  return costs.length === 0 ? counts : { ...counts, cost: sumCosts(costs) };
}

function sumCosts(costs: readonly Cost[]): Cost {
  const sum: Record<string, number> = {};
  for (const cost of costs)
    for (const [part, dollars] of Object.entries(cost))
      if (typeof dollars === "number") sum[part] = (sum[part] ?? 0) + dollars;
  return { total_cost: 0, ...sum };
}

/** US dollars of one answer; 0 where no price is known. */
export function dollarsOf(usage: Usage | undefined): number {
  return usage?.cost?.total_cost ?? 0;
}
