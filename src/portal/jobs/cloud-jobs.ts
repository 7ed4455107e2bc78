import { createAborter } from "../../engine/runtime/abortable.ts";
import type { PortalDeps } from "../area.ts";
import { operator } from "../call/operator.ts";
import { purgesEveryMs, purgeTick } from "../purge/purge-tick.ts";
import { refreshUsage, refreshUsageEveryMs } from "../quotas/refresh-usage.ts";
import { createCalls } from "../run/new-call.ts";
import { finishRollbacks, rollbacksEveryMs } from "./rollbacks.ts";

/** The jobs that ask the clouds of regions, in the operator's name where they need one. */
export function cloudJobs(deps: PortalDeps) {
  const newCall = createCalls(deps);
  const callIn = (region: string) =>
    newCall({ caller: operator, region, signal: createAborter(), eventId: deps.newId("evt") });
  return [
    { name: "rollbacks", everyMs: rollbacksEveryMs, perform: () => finishRollbacks(deps) },
    { name: "purges", everyMs: purgesEveryMs, perform: () => purgeTick(deps, callIn) },
    { name: "quota usage", everyMs: refreshUsageEveryMs, perform: () => refreshUsage(deps, callIn) },
  ];
}
