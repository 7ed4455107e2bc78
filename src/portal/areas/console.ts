import type { PortalDeps } from "../area.ts";
import { backupsArea } from "../backups/area.ts";
import { contextArea } from "../context/area.ts";
import { dashboardsArea } from "../dashboards/area.ts";
import { i18nArea } from "../i18n/area.ts";
import { notificationsArea } from "../notifications/area.ts";
import { propertiesArea } from "../properties/area.ts";
import { tasksArea } from "../tasks/area.ts";
import { themesArea } from "../themes/area.ts";

/** The areas about what the console shows. Add an area here. */
export function consoleBackends(deps: PortalDeps) {
  return {
    backups: backupsArea(deps.backups.deps),
    context: contextArea(deps),
    dashboards: dashboardsArea(deps),
    i18n: i18nArea(),
    notifications: notificationsArea(deps),
    properties: propertiesArea(),
    tasks: tasksArea(deps),
    themes: themesArea(),
  };
}
