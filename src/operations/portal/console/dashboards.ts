import { z } from "zod";
import { op } from "../../define.ts";
import { flag, obj } from "../fields.ts";

/** What the console renders. */
export const DashboardDefinition = z.object({
  elements: z.array(z.unknown()),
  path_params: obj,
  schema: obj,
  /** The text to show as its title. */
  title_key: z.string().optional(),
  /** A whole number that grows with every change of the definition. */
  version: z.string().optional(),
});
export type DashboardDefinition = z.output<typeof DashboardDefinition>;

/** Elements that belong together. */
export const DashboardElementGroup = z.object({
  elements: z.unknown(),
  icon: z.string().optional(),
  name: z.string(),
});
export type DashboardElementGroup = z.output<typeof DashboardElementGroup>;

/** An entry of the menu. */
export const DashboardMenuEntry = z.object({
  help: z.string().optional(),
  icon: z.string().optional(),
  items: z.array(z.unknown()),
  label: z.string(),
  order: z.string(),
});
export type DashboardMenuEntry = z.output<typeof DashboardMenuEntry>;

/** A dashboard as the catalogue lists it. */
export const DashboardCatalogEntry = z.object({
  access: z.string().optional(),
  group: z.string().optional(),
  groupicon: z.string().optional(),
  help: z.string().optional(),
  icon: z.string().optional(),
  name: z.string(),
  navigable: flag,
  order: z.string(),
  path: z.string(),
  published: flag,
  region: z.string().nullable(),
  schema: z.string().optional(),
  subgroup: z.string().optional(),
  subgroupicon: z.string().optional(),
  version: z.string().optional(),
});
export type DashboardCatalogEntry = z.output<typeof DashboardCatalogEntry>;

/** What the console shows. */
export const dashboards = {
  get: op("GET /dashboard/{dashboard_path}", "dashboard-get", "Read the definition of a dashboard", {
    out: DashboardDefinition,
  }),
  elements: op("GET /dashboard/elements", "elements_get-get", "List the elements that dashboards are made of", {
    out: z.array(DashboardElementGroup),
  }),
  menu: op("GET /dashboards", "dashboards-get", "Read the caller's menu", { out: z.array(DashboardMenuEntry) }),
  catalogue: op("GET /dashboards/all", "dashboard_all-get", "List all dashboards", {
    out: z.array(DashboardCatalogEntry),
  }),
};
