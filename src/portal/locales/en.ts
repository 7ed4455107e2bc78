import type { NotificationType } from "../../api/portal/notifications.ts";
import { type ErrorCode, errorTable } from "../../errors.ts";
import type { DashboardPath } from "../dashboard-catalogue/catalogue.ts";
import type { DashboardGroup } from "../dashboard-catalogue/row.ts";
import { screenTexts } from "./console/en.ts";
import { noticeTexts } from "./notices/en.ts";

/** What menus, dashboards and notifications are called: each has a text. */
type LocalizedName = `menu.${DashboardGroup}` | `dashboard.${DashboardPath}` | `notification.${NotificationType}`;

/** The console's own words in English, the default language. */
const consoleTexts = {
  ...screenTexts,
  ...noticeTexts,
  "menu.overview": "Overview",
  "menu.ai": "AI",
  "menu.infrastructure": "Infrastructure",
  "menu.clusters": "Clusters",
  "menu.backups": "Backups",
  "menu.objectstore": "Object store",
  "menu.tenants": "Tenants",
  "menu.users": "Users",
  "menu.settings": "Settings",
  "dashboard.context": "My account",
  "dashboard.me": "My profile",
  "dashboard.notifications": "Notifications",
  "dashboard.alerts": "Alerts",
  "dashboard.tasks": "Tasks",
  "dashboard.ai-keys": "Virtual keys",
  "dashboard.ai-projects": "AI projects",
  "dashboard.ai-requests": "Requests",
  "dashboard.ai-cache": "Answer cache",
  "dashboard.ai-credentials": "Provider credentials",
  "dashboard.ai-models": "Models and prices",
  "dashboard.iaas-projects": "Projects",
  "dashboard.iaas-servers": "Servers",
  "dashboard.iaas-volumes": "Volumes",
  "dashboard.iaas-networks": "Networks",
  "dashboard.keypair": "Key pairs",
  "dashboard.clusters": "Clusters",
  "dashboard.cluster-projects": "Cluster projects",
  "dashboard.cluster-profiles": "Cloud profiles",
  "dashboard.backups": "Backups",
  "dashboard.backup-resources": "Protected resources",
  "dashboard.objectstore": "Shared buckets and objects",
  "dashboard.profiles": "Profiles",
  "dashboard.quotas": "Quotas",
  "dashboard.tenants": "Tenants",
  "dashboard.users": "Users",
  "dashboard.roles": "Roles",
  "dashboard.audit": "Audit log",
  "dashboard.properties": "Properties",
  "dashboard.system": "System",
  "dashboard.theme": "Theme",
  "dashboard.languages": "Languages",
  "notification.budget_80": "Budget used to 80 %",
  "notification.budget_100": "Budget used up",
  "notification.key_limited": "Key limited",
  "notification.backup_failed": "Backup failed",
  "notification.task_ended": "Task ended",
  "notification.token_expiring": "Token about to expire",
  "notification.alert_triggered": "Alert",
  "notification.alert_resolved": "Alert resolved",
  "action.sign_in": "Sign in",
  "action.sign_out": "Sign out",
  "action.create": "Create",
  "action.save": "Save",
  "action.edit": "Edit",
  "action.delete": "Delete",
  "action.cancel": "Cancel",
  "action.confirm": "Confirm",
  "action.close": "Close",
  "action.copy": "Copy",
  "action.search": "Search",
  "action.refresh": "Refresh",
  "action.enable": "Enable",
  "action.disable": "Disable",
  "action.enable_all": "Enable all",
  "action.disable_all": "Disable all",
  "action.next": "Next",
  "action.previous": "Previous",
  "action.back": "Back",
  "action.more": "More",
  "label.name": "Name",
  "label.description": "Description",
  "label.created_at": "Created",
  "label.state": "State",
  "label.active": "Active",
  "label.inherited": "Inherited",
  "label.user": "User",
  "label.client": "Client",
  "label.reseller": "Reseller",
  "label.provider": "Provider",
  "label.region": "Region",
  "label.language": "Language",
  "label.token": "Access token",
  "label.permissions": "Permissions",
  "label.budget": "Budget",
  "label.limit": "Limit",
  "label.used": "Used",
  "label.cost": "Cost",
  "label.start": "Start",
  "label.end": "End",
  "message.loading": "Loading …",
  "message.empty": "There is nothing here yet.",
  "message.saved": "Saved.",
  "message.deleted": "Deleted.",
  "message.copied": "Copied.",
  "message.confirm_change": "Do this now?",
  "message.confirm_delete": "Delete this for good?",
  "message.shown_once": "This value is shown once. Keep it in a safe place.",
  "message.unread": "Unread",
  "message.not_permitted": "You are not permitted to do this.",
  "message.offline": "The gateway cannot be reached.",
} as const satisfies Readonly<Record<LocalizedName, string>> & Readonly<Record<string, string>>;

/** What each error code means, as a text. */
type ErrorTexts = Readonly<Record<`error.${ErrorCode}`, string>>;

/** A language's texts: all of them. */
export type Texts = Readonly<Record<keyof typeof consoleTexts, string>> & ErrorTexts;

/** English, the default language; its texts of errors are those of the table. */
export const en: Texts = {
  ...consoleTexts,
  ...(Object.fromEntries(
    Object.entries(errorTable).map(([code, { meaning }]) => [`error.${code}`, meaning]),
  ) as ErrorTexts), // the table's own codes
};
