import type { AreaName, Areas } from "../operations/portal/table.ts";
import type { AreaTools } from "./area.ts";
import { consoleBackends } from "./areas/groups/console.ts";
import { tenancyBackends } from "./areas/groups/tenancy.ts";
import type { AreaBackend, Region } from "./regions.ts";

/** What serves the portal's areas; an area without a back end is answered with `not_implemented`. */
export type Backends = { readonly [Name in AreaName]?: AreaBackend<Name> | undefined };

/** The areas whose logic is ours: the same in every region. */
export function ownBackends(tools: AreaTools): Backends {
  return { ...tenancyBackends(tools), ...consoleBackends(tools) };
}

/** What serves an area in a region: the region's own back end for infrastructure, ours for the rest. */
export function findBackend(own: Backends, region: Region, area: AreaName): Backends[keyof Areas] {
  if (area === "iaas" || area === "clusters" || area === "objectstore") return region[area] ?? own[area];
  return own[area];
}
