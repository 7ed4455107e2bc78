import * as context from "./context.ts";
import * as dashboards from "./dashboards.ts";
import * as i18n from "./i18n.ts";
import * as notifications from "./notifications.ts";
import * as properties from "./properties.ts";
import * as themes from "./themes.ts";

/** The areas about what the console shows. */
export const consoleAreas = {
  context: context.context,
  dashboards: dashboards.dashboards,
  i18n: i18n.i18n,
  notifications: notifications.notifications,
  properties: properties.properties,
  themes: themes.themes,
};

/** Their resources by name. */
export const consoleSchemas: Readonly<Record<string, unknown>> = {
  DashboardDefinition: dashboards.DashboardDefinition,
  DashboardElementGroup: dashboards.DashboardElementGroup,
  DashboardMenuEntry: dashboards.DashboardMenuEntry,
  DashboardCatalogEntry: dashboards.DashboardCatalogEntry,
  Language: i18n.Language,
  LanguageTokenRow: i18n.LanguageTokenRow,
  Notification: notifications.Notification,
  Property: properties.Property,
  Theme: themes.Theme,
};
