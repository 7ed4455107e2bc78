import type { Access } from "../policy/access.ts";
import { separateTwins } from "../policy/limit.ts";
import { heed } from "./heed.ts";
import type { Ports } from "./ports.ts";

/** What is left of the tightest budget of a key, its project and its customer, in nano-dollars; `undefined` where none is set. */
export async function readBudgetLeft({ books, clock }: Ports, access: Access | undefined): Promise<number | undefined> {
  const budgets = separateTwins(access?.limits ?? []).filter(({ unit }) => unit === "cost");
  if (budgets.length === 0) return undefined;
  const names = budgets.map(({ counter }) => counter);
  const readings = await heed("counters", () => books.counters.read(names, clock.now()), books.patience.long);
  const left = budgets.map(({ max }, position) => {
    const reading = readings[position];
    return Math.max(0, max - (reading?.used ?? 0) - (reading?.reserved ?? 0));
  });
  return Math.min(...left);
}
