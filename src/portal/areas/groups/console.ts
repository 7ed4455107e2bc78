import type { AreaTools } from "../../area.ts";
import { backupsArea } from "../backups.ts";
import { contextArea } from "../context.ts";
import { dashboardsArea } from "../dashboards.ts";
import { i18nArea } from "../i18n.ts";
import { notificationsArea } from "../notifications.ts";
import { propertiesArea } from "../properties.ts";
import { tasksArea } from "../tasks.ts";
import { themesArea } from "../themes.ts";

/** The areas about what the console shows; an area is a line here. */
export function consoleBackends(tools: AreaTools) {
  return {
    backups: backupsArea(tools.backups.works),
    context: contextArea(tools),
    dashboards: dashboardsArea(tools),
    i18n: i18nArea(),
    notifications: notificationsArea(),
    properties: propertiesArea(),
    tasks: tasksArea(tools),
    themes: themesArea(),
  };
}
