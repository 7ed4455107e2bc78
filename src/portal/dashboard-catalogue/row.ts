import type { AreaName, Areas } from "../../operations/portal/table.ts";

/** An operation as `area.name`: every element of a dashboard is one. */
export type ElementId = { [Area in AreaName]: `${Area}.${keyof Areas[Area] & string}` }[AreaName];

/** The entries of the menu, in their order. Their labels are the texts `menu.<name>`. */
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

/** One dashboard. Its label is the text `dashboard.<path>`. */
export interface DashboardRow {
  readonly group: DashboardGroup;
  readonly icon: string;
  /** The elements in display order. A caller who may not call the first does not see the dashboard. */
  readonly elements: readonly [ElementId, ...ElementId[]];
  /** The element and the field of its rows that each path parameter is picked from. */
  readonly picks?: Readonly<Record<string, `${ElementId}#${string}`>>;
  /** The element and the field of its rows that inputs of forms are chosen from, besides those of `picks`. */
  readonly choices?: Readonly<Record<string, `${ElementId}#${string}`>>;
}
