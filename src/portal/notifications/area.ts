import type { StoredNotification } from "../../api/portal/notifications.ts";
import type { Notification } from "../../operations/portal/console/notifications.ts";
import { showLevel } from "../profiles/show.ts";
import type { AreaBackend } from "../regions.ts";
import { change, readAll } from "../tenancy/record-access.ts";

/** Notifications about the caller's scope. */
export function notificationsArea(): AreaBackend<"notifications"> {
  return {
    async list({ unread }, { records }) {
      const items = await readAll(records, "notification");
      return items.filter(({ read_at }) => unread !== true || read_at === null).map(showNotification);
    },
    async markRead({ id }, { records, now }) {
      const read_at = new Date(now).toISOString();
      const by = (present: StoredNotification) => ({ ...present, read_at: present.read_at ?? read_at });
      await change(records, "notification", { id, by });
    },
  };
}

function showNotification(stored: StoredNotification): Notification {
  const { id, type, text, read_at, created_at, user_id } = stored;
  return {
    ...{ id, type, notification: text, read: read_at ?? "", timestamp: created_at },
    ...showLevel(stored),
    ...(typeof user_id === "string" ? { user: user_id } : {}),
  };
}
