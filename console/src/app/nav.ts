import { hasRow, rowOf } from "../api/client.ts";
import { isPermitted } from "../api/session.ts";
import type { TextKey } from "../i18n/texts.ts";
import type { IconName } from "../parts/icon.tsx";

/** A place of the menu. */
export interface NavPlace {
  readonly path: string;
  readonly name: TextKey;
  readonly icon: IconName;
  /** The row that the screen is built on: without its permission, the place is not shown. */
  readonly row?: string;
  /** The dashboard that shows the same in the generic form; the menu leaves it out. */
  readonly twin?: string;
}

/** The menu's own places by group. What else `GET /dashboards` lists is put behind them. */
export const navGroups: readonly (readonly [group: TextKey, places: readonly NavPlace[]])[] = [
  [
    "menu.overview",
    [
      { path: "", name: "console.overview", icon: "home" },
      {
        path: "notifications",
        name: "dashboard.notifications",
        icon: "bell",
        row: "notifications.list",
        twin: "notifications",
      },
      { path: "alerts", name: "dashboard.alerts", icon: "alert", row: "alerts.list", twin: "alerts" },
      { path: "tasks", name: "dashboard.tasks", icon: "list", row: "tasks.list", twin: "tasks" },
      { path: "me", name: "dashboard.me", icon: "user", row: "me.get", twin: "me" },
    ],
  ],
  [
    "menu.ai",
    [
      { path: "ai/live", name: "console.live", icon: "pulse", row: "ai.requestStream" },
      { path: "ai/requests", name: "console.requests", icon: "list", row: "ai.requests", twin: "ai-requests" },
      { path: "ai/costs", name: "console.costs", icon: "chart", row: "ai.usage" },
      { path: "ai/budgets", name: "console.budgets", icon: "gauge", row: "ai.limits" },
      { path: "ai/keys", name: "dashboard.ai-keys", icon: "key", row: "ai.keys", twin: "ai-keys" },
      { path: "ai/projects", name: "dashboard.ai-projects", icon: "folder", row: "ai.projects", twin: "ai-projects" },
      { path: "ai/customers", name: "customers.title", icon: "building", row: "ai.customers" },
      { path: "ai/playground", name: "console.playground", icon: "chat", row: "ai.playground" },
      { path: "ai/routing", name: "console.routing", icon: "route", row: "ai.plan" },
      { path: "ai/models", name: "dashboard.ai-models", icon: "cpu", row: "ai.modelPrices", twin: "ai-models" },
      { path: "ai/cache", name: "dashboard.ai-cache", icon: "archive", row: "ai.cache", twin: "ai-cache" },
      { path: "ai/tools", name: "dashboard.ai-tools", icon: "layers", row: "ai.toolServers", twin: "ai-tools" },
      { path: "ai/health", name: "console.health", icon: "heart", row: "ai.health" },
      {
        path: "ai/credentials",
        name: "dashboard.ai-credentials",
        icon: "lock",
        row: "ai.credentials",
        twin: "ai-credentials",
      },
    ],
  ],
  [
    "menu.infrastructure",
    [
      { path: "servers", name: "dashboard.iaas-servers", icon: "server", row: "iaas.servers", twin: "iaas-servers" },
      { path: "volumes", name: "dashboard.iaas-volumes", icon: "disk", row: "iaas.volumes", twin: "iaas-volumes" },
      {
        path: "networks",
        name: "dashboard.iaas-networks",
        icon: "network",
        row: "iaas.networks",
        twin: "iaas-networks",
      },
    ],
  ],
  [
    "menu.clusters",
    [{ path: "clusters", name: "dashboard.clusters", icon: "grid", row: "clusters.allShoots", twin: "clusters" }],
  ],
  [
    "menu.backups",
    [{ path: "backups", name: "dashboard.backups", icon: "archive", row: "backups.list", twin: "backups" }],
  ],
  [
    "menu.objectstore",
    [
      {
        path: "objects",
        name: "dashboard.objectstore",
        icon: "bucket",
        row: "objectstore.sharedBuckets",
        twin: "objectstore",
      },
    ],
  ],
  [
    "menu.tenants",
    [
      { path: "tenants", name: "dashboard.tenants", icon: "building", row: "tenants.list", twin: "tenants" },
      { path: "quotas", name: "dashboard.quotas", icon: "gauge", row: "quotas.list", twin: "quotas" },
    ],
  ],
  [
    "menu.users",
    [
      { path: "users", name: "dashboard.users", icon: "users", row: "users.list", twin: "users" },
      { path: "roles", name: "dashboard.roles", icon: "shield", row: "users.roles", twin: "roles" },
      { path: "audit", name: "dashboard.audit", icon: "history", row: "users.audit", twin: "audit" },
    ],
  ],
  [
    "menu.settings",
    [
      { path: "theme", name: "dashboard.theme", icon: "palette", row: "themes.get", twin: "theme" },
      {
        path: "properties",
        name: "dashboard.properties",
        icon: "sliders",
        row: "properties.list",
        twin: "properties",
      },
      { path: "system", name: "dashboard.system", icon: "server", row: "context.system", twin: "system" },
      { path: "texts", name: "dashboard.languages", icon: "globe", row: "i18n.table", twin: "languages" },
    ],
  ],
];

/** True where the gateway has the row and the caller may call it. */
export function isReachable({ row }: Pick<NavPlace, "row">): boolean {
  return row === undefined || (hasRow(row) && isPermitted(rowOf(row)[2]));
}

/** The dashboards that a screen of our own stands for. What `context` says of the caller is on the profile. */
export const twins: ReadonlyMap<string, string> = new Map([
  ...navGroups.flatMap(([, places]) =>
    places.flatMap(({ twin, path }) => (twin === undefined ? [] : [[twin, path] as const])),
  ),
  ["context", "me"],
]);

/** True where a screen of our own shows what a dashboard does, and the caller may open it; otherwise the dashboard is its place. */
export function hasOwnScreen(dashboard: string): boolean {
  const path = twins.get(dashboard);
  if (path === undefined) return false;
  const row = rowOfPlace(path);
  return row === undefined || isReachable({ row });
}

/** The row that the screen at a path is built on; undefined for one that everybody may open. */
export function rowOfPlace(path: string): string | undefined {
  const places = navGroups.flatMap(([, all]) => all);
  return places.find((place) => place.path === path)?.row;
}
