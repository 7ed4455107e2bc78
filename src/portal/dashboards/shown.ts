import type { Records } from "../../engine/ports/records.ts";
import type { PortalCall } from "../call/call.ts";
import { type DashboardPath, dashboardPaths, dashboardRows } from "../dashboard-catalogue/catalogue.ts";
import type { DashboardRow } from "../dashboard-catalogue/row.ts";
import { profilesOf } from "../profiles/assigned.ts";
import { grantOf } from "../profiles/effective.ts";
import type { Region } from "../regions.ts";
import { permissionOf } from "./elements.ts";

/** A dashboard with its path. */
export type Dashboard = readonly [path: DashboardPath, row: DashboardRow];

const dashboardGrant = { type: "dashboard", universe: dashboardPaths } as const;

/** Returns the paths that a caller's profiles enable; all of them for a caller without a profile of dashboards. Needs all records. */
export async function enabledPaths({ caller }: PortalCall, records: Records): Promise<ReadonlySet<string>> {
  const { reseller = null, client_id = null } = caller.scope;
  const { profilesById, profiles } = await profilesOf({ id: caller.user.id, reseller, client_id }, records);
  const grants = profiles.map((profile) => ({ profile, grant: grantOf(profilesById, profile.id, dashboardGrant) }));
  const nonEmpty = grants.filter(({ profile, grant }) => profile.type === "dashboard" || grant.size > 0);
  return nonEmpty.length === 0 ? dashboardPaths : new Set(nonEmpty.flatMap(({ grant }) => [...grant.keys()]));
}

/** True when the region has the back end that a dashboard needs. */
export function isPublished({ elements: [first] }: DashboardRow, region: Region | undefined): boolean {
  const [area] = first.split(".");
  if (area !== "iaas" && area !== "clusters" && area !== "objectstore" && area !== "backups") return true;
  return region?.[area] !== undefined;
}

/** Returns the dashboards that a caller's profiles enable, its permissions allow and the region serves, in the menu's order. */
export async function shownDashboards(
  call: PortalCall,
  { records, region }: { readonly records: Records; readonly region: Region | undefined },
): Promise<readonly Dashboard[]> {
  const enabled = await enabledPaths(call, records);
  const { permissions } = call.caller;
  return dashboardRows.filter(
    ([path, row]) => enabled.has(path) && permissions.has(permissionOf(row.elements[0])) && isPublished(row, region),
  );
}
