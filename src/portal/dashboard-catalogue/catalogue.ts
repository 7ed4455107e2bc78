import { aiDashboards } from "./ai.ts";
import { cloudDashboards } from "./cloud.ts";
import { type DashboardGroup, type DashboardRow, dashboardGroups } from "./row.ts";
import { tenancyDashboards } from "./tenancy.ts";

/** Every dashboard by its path. Each operation of the portal belongs to exactly one. */
const dashboardTable = { ...tenancyDashboards, ...aiDashboards, ...cloudDashboards } satisfies Record<
  string,
  DashboardRow
>;

/** The path of a dashboard. */
export type DashboardPath = keyof typeof dashboardTable;

const groupNames = Object.keys(dashboardGroups) as DashboardGroup[];

/** Every dashboard with its path, in the menu's order. */
export const dashboardRows = (Object.entries(dashboardTable) as [DashboardPath, DashboardRow][]).sort(
  ([, one], [, other]) => groupNames.indexOf(one.group) - groupNames.indexOf(other.group),
);

/** The paths of all dashboards. */
export const dashboardPaths: ReadonlySet<string> = new Set(Object.keys(dashboardTable));
