import type { AreaName, Areas } from "../../operations/portal/table.ts";

/** An operation as `area.name`: every element of a dashboard is one. */
export type ElementId = { [Area in AreaName]: `${Area}.${keyof Areas[Area] & string}` }[AreaName];

/** The entries of the menu, in their order; `menu.<name>` among the texts is what they are called. */
export const dashboardGroups = {
  overview: { icon: "home" },
  ai: { icon: "sparkles" },
  infrastructure: { icon: "server" },
  clusters: { icon: "grid" },
  backups: { icon: "archive" },
  objectstore: { icon: "bucket" },
  tenants: { icon: "building" },
  users: { icon: "users" },
  settings: { icon: "settings" },
} as const;

export type DashboardGroup = keyof typeof dashboardGroups;

/** One dashboard: `dashboard.<path>` among the texts is what it is called. */
export interface DashboardRow {
  readonly group: DashboardGroup;
  readonly icon: string;
  /** In the order in which they are shown. Who may not call the first has nothing to see there. */
  readonly elements: readonly [ElementId, ...ElementId[]];
  /** Which field of which element's rows a parameter of a path is picked from. */
  readonly picks?: Readonly<Record<string, `${ElementId}#${string}`>>;
}
