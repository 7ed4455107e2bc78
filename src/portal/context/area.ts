import { present } from "../../engine/policy/drafts.ts";
import type { SystemStatus } from "../../operations/portal/console/context.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { enabledPaths } from "../dashboards/shown.ts";
import { profilesOf } from "../profiles/assigned.ts";
import { showProfile } from "../profiles/show.ts";
import type { AreaBackend, Region } from "../regions.ts";
import { searchRecords } from "../search/search.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";
import { clientNames } from "./client-names.ts";

/** The context of the caller: `{ user, client, reseller, region, permissions, profile }` (portal-resolved.md, section 6). */
export function contextArea(deps: PortalDeps): AreaBackend<"context"> {
  const { records, regions } = deps;
  return {
    system: (_input, call) => describeSystem(deps, call),
    search: ({ q, limit = 20 }, call) => searchRecords(call, { q, limit }),
    async get(_input, call) {
      const { reseller = null, client_id = null } = call.caller.scope;
      const { profiles } = await profilesOf({ id: call.caller.user.id, reseller, client_id }, records);
      const name = (await clientNames(call))({ reseller, client_id });
      return {
        user: await showCaller(call),
        client: { id: client_id, ...(name === undefined ? {} : { name }) },
        reseller: { name: reseller },
        region: { code: call.region, backends: backendsOf(regions[call.region]) },
        permissions: Object.fromEntries([...call.caller.permissions].map((name) => [name, true])),
        profile: { profiles: profiles.map(showProfile), dashboards: [...(await enabledPaths(call, records))] },
      };
    },
  };
}

const areas = ["iaas", "clusters", "objectstore", "backups"] as const;

/** Returns the areas for which the region has a back end. */
function backendsOf(region: Region = {}): string[] {
  return areas.filter((area) => region[area] !== undefined);
}

/** Returns the caller's user with its stored fields. A caller of this process without a record has its name only. */
async function showCaller({ caller, records }: PortalCall): Promise<Record<string, unknown>> {
  const stored = await records.get("user", caller.user.id);
  if (!stored) return { ...caller.user };
  const { id, username, email, first_name, last_name, language, level } = stored.record;
  const person = { id, username, email, first_name, last_name, language, level };
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined));
}

type SystemDeps = Pick<PortalDeps, "engine" | "processFacts" | "storeSchema">;

/** Returns whether the gateway can take calls; to the provider also what this process and its store are, and what keeps them from it. */
async function describeSystem(
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
