import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { enabledPaths } from "../dashboards/shown.ts";
import { profilesOf } from "../profiles/assigned.ts";
import { showProfile } from "../profiles/show.ts";
import type { AreaBackend, Region } from "../regions.ts";
import { searchRecords } from "../search/search.ts";
import { clientNames } from "./client-names.ts";
import { describeSystem } from "./system.ts";

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
