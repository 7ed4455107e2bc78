import type { AreaTools } from "../../area.ts";
import { contextArea } from "../context.ts";
import { dashboardsArea } from "../dashboards.ts";
import { notificationsArea } from "../notifications.ts";
import { propertiesArea } from "../properties.ts";
import { themesArea } from "../themes.ts";

/** The areas about what the console shows; an area is a line here. */
export function consoleBackends(tools: AreaTools) {
  return {
    context: contextArea(tools),
    dashboards: dashboardsArea(tools),
    notifications: notificationsArea(tools),
    properties: propertiesArea(),
    themes: themesArea(),
  };
}
