import type { Notification } from "../../operations/portal/console/notifications.ts";
import type { NotificationType, StoredNotification } from "../../operations/records/notifications.ts";
import { renderText } from "../locales/render.ts";
import { showLevel } from "../profiles/show.ts";

/** How bad the events are that notifications tell of. */
const severities: Readonly<Record<NotificationType, Notification["severity"]>> = {
  budget_80: "warning",
  budget_100: "error",
  key_limited: "warning",
  backup_failed: "error",
  backup_lost: "error",
  backup_restored: "info",
  restore_failed: "error",
  task_ended: "info",
  token_expiring: "warning",
  alert_triggered: "warning",
  alert_resolved: "info",
};

/** When a user has read a notification. */
export function readAt({ read_at, read_by = {} }: StoredNotification, reader: string): string | undefined {
  return (Object.hasOwn(read_by, reader) ? read_by[reader] : undefined) ?? read_at ?? undefined;
}

interface NotificationReader {
  /** The user's id. */
  readonly reader: string;
  /** The texts in its language. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns a notification as one user sees it, in its language. */
export function showNotification(stored: StoredNotification, { reader, texts }: NotificationReader): Notification {
  const { id, type, text, created_at, user_id, subject, key, params, link } = stored;
  const template = key === undefined ? undefined : texts.get(key); // a later version may have others
  const notification = template === undefined ? text : renderText(template, params ?? {}, texts);
  return {
    ...{ id, type, notification, read: readAt(stored, reader) ?? "", timestamp: created_at },
    severity: Object.hasOwn(severities, type) ? severities[type as NotificationType] : "info", // a later version may have others
    ...(subject === undefined ? {} : { subject }),
    ...(key === undefined ? {} : { key, params: { ...params } }),
    ...(link === undefined ? {} : { link }),
    ...showLevel(stored),
    ...(typeof user_id === "string" ? { user: user_id } : {}),
  };
}
