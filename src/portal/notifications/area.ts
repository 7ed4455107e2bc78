import type { StoredNotification } from "../../operations/records/notifications.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { languageOf, textsAt } from "../i18n/reader.ts";
import type { AreaBackend } from "../regions.ts";
import { change, readAll } from "../tenancy/record-access.ts";
import { readAt, showNotification } from "./show.ts";
import { notificationStream } from "./stream.ts";

/** Notifications about the caller's scope. Each user reads them for itself. */
export function notificationsArea(deps: Pick<PortalDeps, "engine">): AreaBackend<"notifications"> {
  return {
    stream: notificationStream(deps),
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
