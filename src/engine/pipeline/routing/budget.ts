import type { KeyPermissions } from "../../policy/access.ts";
import { separateShared } from "../../policy/limit.ts";
import { isScoped } from "../../policy/limit-scope.ts";
import { callPort } from "../runtime/port-call.ts";
import type { Ports } from "../runtime/ports.ts";

/** What is left of the tightest budget of a key, its project and its customer for all of their calls, in nano-dollars; `undefined` where none is set. */
export async function readBudgetLeft(
  { accounting, clock }: Ports,
  access: KeyPermissions | undefined,
): Promise<number | undefined> {
  const budgets = separateShared(access?.limits ?? []).filter((limit) => limit.unit === "cost" && !isScoped(limit));
  if (budgets.length === 0) return undefined;
  const names = budgets.map(({ counter }) => counter);
  const readings = await callPort(
    "counters",
    () => accounting.counters.read(names, clock.now()),
    accounting.timeouts.long,
  );
  const left = budgets.map(({ max }, position) => {
    const reading = readings[position];
    return Math.max(0, max - (reading?.used ?? 0) - (reading?.reserved ?? 0));
  });
  return Math.min(...left);
}
