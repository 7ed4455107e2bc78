import { present } from "../../engine/policy/drafts.ts";
import type { SystemStatus } from "../../operations/portal/console/context.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";

type SystemDeps = Pick<PortalDeps, "engine" | "processFacts" | "storeSchema">;

/** Returns whether the gateway can take calls; to the provider also what this process and its store are, and what keeps them from it. */
export async function describeSystem(
  { engine, processFacts, storeSchema }: SystemDeps,
  { caller, now }: PortalCall,
): Promise<SystemStatus> {
  const { status, in_flight, checks } = await engine.readiness();
  if (depthOf(caller.scope) > 0) return { status };
  const { version, started_at, ...facts } = processFacts?.() ?? {};
  const started = started_at === undefined ? undefined : { ...facts, ...since(started_at, now) };
  return {
    status,
    ...{ in_flight, checks: Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, { ...check }])) },
    ...present({ version, process: started as SystemStatus["process"], store: storeSchema && { ...storeSchema } }), // seam: all facts or none
  };
}

function since(startedAt: number, now: number) {
  return { started_at: new Date(startedAt).toISOString(), uptime: Math.max(0, Math.floor((now - startedAt) / 1_000)) };
}
