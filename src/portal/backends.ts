import type { AreaName, Areas } from "../operations/portal/table.ts";
import type { PortalDeps } from "./area.ts";
import { consoleBackends } from "./areas/console.ts";
import { tenancyBackends } from "./areas/tenancy.ts";
import type { AreaBackend, Region } from "./regions.ts";

/** The back ends of the portal's areas. A call of an area without one throws `not_implemented`. */
export type Backends = { readonly [Name in AreaName]?: AreaBackend<Name> | undefined };

/** Returns the back ends of the portal's own areas, which are the same in every region. */
export function ownBackends(deps: PortalDeps): Backends {
  return { ...tenancyBackends(deps), ...consoleBackends(deps) };
}

/** Returns the back end of an area in a region: the region's for infrastructure, the portal's own for the rest. */
export function findBackend(own: Backends, region: Region, area: AreaName): Backends[keyof Areas] {
  if (area === "iaas" || area === "clusters" || area === "objectstore") return region[area] ?? own[area];
  return own[area];
}
