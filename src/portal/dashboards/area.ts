import type { DashboardCatalogEntry, DashboardMenuEntry } from "../../operations/portal/console/dashboards.ts";
import { areas } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { dashboardRows } from "../dashboard-catalogue/catalogue.ts";
import { type DashboardGroup, dashboardGroups, type ElementId } from "../dashboard-catalogue/row.ts";
import { versionOf } from "../dashboard-catalogue/versions.ts";
import type { AreaBackend, Region } from "../regions.ts";
import { notFound } from "../tenancy/record-access.ts";
import { defineDashboard } from "./definition.ts";
import { permissionOf, toElement } from "./elements.ts";
import { type Dashboard, isPublished, shownDashboards } from "./shown.ts";

/** The dashboards that the console renders. Labels are keys of the texts that `GET /i18n/lang/{lang}` answers. */
export function dashboardsArea({
  records,
  regions,
}: Pick<PortalDeps, "records" | "regions">): AreaBackend<"dashboards"> {
  const shown = (call: PortalCall) => shownDashboards(call, { records, region: regions[call.region] });
  return {
    async get({ dashboard_path }, call) {
      const found = (await shown(call)).find(([path]) => path === dashboard_path);
      if (!found) throw notFound("dashboard", dashboard_path);
      return { ...defineDashboard(found, call.caller.permissions), version: versionOf(found[0]) };
    },
    async menu(_input, call) {
      const own = await shown(call);
      return groupNames.flatMap((name, position) => {
        const items = own.filter(([, row]) => row.group === name);
        return items.length > 0 ? [toEntry(name, position, items)] : [];
      });
    },
    catalogue: (_input, { region }) => dashboardRows.map((one, position) => toListed(one, position, regions[region])),
    elements: () =>
      Object.entries(areas).map(([name, rows]) => ({
        name,
        icon: iconOf(name),
        elements: Object.keys(rows).map((row) => toElement(`${name}.${row}` as ElementId)), // the table's own names
      })),
  };
}

const groupNames = Object.keys(dashboardGroups) as DashboardGroup[];

function toEntry(name: DashboardGroup, position: number, items: readonly Dashboard[]): DashboardMenuEntry {
  return {
    label: `menu.${name}`,
    icon: dashboardGroups[name].icon,
    order: orderOf(position),
    items: items.map(([path, { icon }], scope) => ({ label: `dashboard.${path}`, path, icon, order: orderOf(scope) })),
  };
}

function toListed([path, row]: Dashboard, position: number, region: Region | undefined): DashboardCatalogEntry {
  const { group, icon, elements } = row;
  return {
    ...{ path, name: `dashboard.${path}`, icon, group: `menu.${group}`, groupicon: dashboardGroups[group].icon },
    ...{ access: permissionOf(elements[0]), navigable: true, published: isPublished(row, region), region: null },
    ...{ order: orderOf(position), schema: `/dashboard/${path}`, version: versionOf(path) },
  };
}

/** Returns a position as text that sorts like the number. */
function orderOf(position: number): string {
  return String((position + 1) * 10).padStart(4, "0");
}

function iconOf(area: string): string {
  const found = dashboardRows.find(([, { elements }]) => elements[0].startsWith(`${area}.`));
  return found?.[1].icon ?? "square";
}
