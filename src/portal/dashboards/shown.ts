import type { Records } from "../../ports/records.ts";
import type { PortalCall } from "../call.ts";
import { profilesOf } from "../profiles/assigned.ts";
import { giftOf } from "../profiles/effective.ts";
import type { Region } from "../regions.ts";
import { type DashboardPath, dashboardPaths, dashboardRows } from "./catalogue.ts";
import { permissionOf } from "./elements.ts";
import type { DashboardRow } from "./row.ts";

/** A dashboard with its path. */
export type Dashboard = readonly [path: DashboardPath, row: DashboardRow];

const dashboardGift = { type: "dashboard", universe: dashboardPaths } as const;

/** The paths that a caller's profiles enable: all of them for one to whom no profile of dashboards was given. Wants all records. */
export async function enabledPaths({ caller }: PortalCall, records: Records): Promise<ReadonlySet<string>> {
  const { reseller = null, client_id = null } = caller.place;
  const { book, profiles } = await profilesOf({ id: caller.user.id, reseller, client_id }, records);
  const gifts = profiles.map((profile) => ({ profile, gift: giftOf(book, profile.id, dashboardGift) }));
  const said = gifts.filter(({ profile, gift }) => profile.type === "dashboard" || gift.size > 0);
  return said.length === 0 ? dashboardPaths : new Set(said.flatMap(({ gift }) => [...gift.keys()]));
}

/** True when the region can serve a dashboard: what its back ends would have to do, one of them does. */
export function isPublished({ elements: [first] }: DashboardRow, region: Region | undefined): boolean {
  const [area] = first.split(".");
  if (area !== "iaas" && area !== "clusters" && area !== "objectstore" && area !== "backups") return true;
  return region?.[area] !== undefined;
}

/** What a caller is shown: what its profiles enable, its permissions allow and the region serves, in the menu's order. */
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
