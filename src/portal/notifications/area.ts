import type { NotificationType, StoredNotification } from "../../api/portal/notifications.ts";
import type { Notification } from "../../operations/portal/console/notifications.ts";
import type { PortalCall } from "../call/call.ts";
import { languageOf, textsAt } from "../i18n/reader.ts";
import { renderText } from "../locales/render.ts";
import { showLevel } from "../profiles/show.ts";
import type { AreaBackend } from "../regions.ts";
import { change, readAll } from "../tenancy/record-access.ts";

/** How bad the events are that notifications tell of. */
const severities: Readonly<Record<NotificationType, Notification["severity"]>> = {
  budget_80: "warning",
  budget_100: "error",
  key_limited: "warning",
  backup_failed: "error",
  task_ended: "info",
  token_expiring: "warning",
  alert_triggered: "warning",
  alert_resolved: "info",
};

/** Notifications about the caller's scope. Each user reads them for itself. */
export function notificationsArea(): AreaBackend<"notifications"> {
  return {
    async list({ unread, read, severity, subject, type }, call) {
      const items = await readAll(call.records, "notification");
      const { caller, allRecords } = call;
      const texts = await textsAt(allRecords, await languageOf(allRecords, call), caller.scope);
      const wanted = { severity, subject, type };
      return items.flatMap((one) => {
        const isRead = readAt(one, caller.user.id) !== undefined;
        if ((unread === true && isRead) || (read ?? isRead) !== isRead) return [];
        const shown = showNotification(one, { reader: caller.user.id, texts });
        const isWanted = (["severity", "subject", "type"] as const).every(
          (field) => wanted[field] === undefined || wanted[field] === shown[field],
        );
        return isWanted ? [shown] : [];
      });
    },
    markRead: ({ id }, call) => markRead(call, id),
    async markAllRead(_input, call) {
      for (const one of await readAll(call.records, "notification"))
        if (readAt(one, call.caller.user.id) === undefined) await markRead(call, one.id);
    },
  };
}

/** The users of which one notification remembers that they have read it; the first ones are forgotten. */
const mostReaders = 1_000;

async function markRead({ caller, records, now }: PortalCall, id: string): Promise<undefined> {
  const at = new Date(now).toISOString();
  const by = (present: StoredNotification): StoredNotification => {
    if (readAt(present, caller.user.id) !== undefined) return present;
    const readers = [...Object.entries(present.read_by ?? {}), [caller.user.id, at]].slice(-mostReaders);
    return { ...present, read_by: Object.fromEntries(readers) };
  };
  await change(records, "notification", { id, by });
}

function readAt({ read_at, read_by = {} }: StoredNotification, reader: string): string | undefined {
  return (Object.hasOwn(read_by, reader) ? read_by[reader] : undefined) ?? read_at ?? undefined;
}

interface NotificationReader {
  /** The user's id. */
  readonly reader: string;
  /** The texts in its language. */
  readonly texts: ReadonlyMap<string, string>;
}

function showNotification(stored: StoredNotification, { reader, texts }: NotificationReader): Notification {
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
