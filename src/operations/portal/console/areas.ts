import * as alerts from "./alerts.ts";
import * as context from "./context.ts";
import * as dashboards from "./dashboards.ts";
import * as i18n from "./i18n.ts";
import * as me from "./me.ts";
import * as notifications from "./notifications.ts";
import * as properties from "./properties.ts";
import * as themes from "./themes.ts";

/** The areas about what the console shows. */
export const consoleAreas = {
  alerts: alerts.alerts,
  context: context.context,
  dashboards: dashboards.dashboards,
  i18n: i18n.i18n,
  me: me.me,
  notifications: notifications.notifications,
  properties: properties.properties,
  themes: themes.themes,
};

/** Their resources by name. */
export const consoleSchemas: Readonly<Record<string, unknown>> = {
  Alert: alerts.Alert,
  AlertRule: alerts.AlertRule,
  AlertChannel: alerts.AlertChannel,
  AlertChannelCreated: alerts.AlertChannelCreated,
  AlertTest: alerts.AlertTest,
  DashboardDefinition: dashboards.DashboardDefinition,
  DashboardElementGroup: dashboards.DashboardElementGroup,
  DashboardMenuEntry: dashboards.DashboardMenuEntry,
  DashboardCatalogEntry: dashboards.DashboardCatalogEntry,
  SearchResult: context.SearchResult,
  SystemStatus: context.SystemStatus,
  Language: i18n.Language,
  LanguageTokenRow: i18n.LanguageTokenRow,
  Me: me.Me,
  OwnSession: me.OwnSession,
  UserSettings: me.UserSettings,
  TotpSecret: me.TotpSecret,
  RecoveryCodes: me.RecoveryCodes,
  Notification: notifications.Notification,
  Property: properties.Property,
  PropertyType: properties.PropertyType,
  Theme: themes.Theme,
};
