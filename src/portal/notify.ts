import { hash } from "node:crypto";
import type { Clock } from "../engine/ports/clock.ts";
import type { Records } from "../engine/ports/records.ts";
import type { NotificationType } from "../operations/records/notifications.ts";
import { renderText, type TextParams } from "./locales/render.ts";
import { en, type NoticeKey } from "./locales/texts.ts";
import type { ScopedRecord } from "./tenancy/tenant-scope.ts";

/** An event that users should know of. */
export interface Notice {
  readonly type: NotificationType;
  /** The id of what the event is about, e.g. of a task that ended. */
  readonly subject: string;
  /** What identifies the event among those of its type; the subject unless given. A second notice of the same event is dropped. */
  readonly event?: string | undefined;
  /** The key of its sentence in every language. */
  readonly key: NoticeKey;
  /** The parameters of the sentence, without secrets. */
  readonly params: TextParams;
  /** The path of the operation that reads the subject. */
  readonly link?: string | undefined;
  /** The tenant of the subject, e.g. any record of the portal: every caller who sees the subject sees the notification. */
  readonly scope: ScopedRecord;
}

/** Stores a notification, unless one of the same event exists. */
export type Notify = (notice: Notice) => Promise<void>;

const englishTexts: ReadonlyMap<string, string> = new Map(Object.entries(en));

/** Returns the notifier over a store. Ids are derived from type and event: a repeated notice, in any process, stores one record. */
export function createNotify({ records, clock }: { readonly records: Records; readonly clock: Clock }): Notify {
  return async ({ type, subject, event = subject, key, params, link, scope }) => {
    const { reseller = null, client_id = null, user_id = null } = scope;
    const id = `ntf_${hash("sha256", JSON.stringify([type, event]), "hex").slice(0, 24)}`;
    const created_at = new Date(clock.now()).toISOString();
    const tenant = { reseller, client_id, user_id };
    const sentence = {
      text: renderText(en[key], params, englishTexts),
      key,
      params,
      ...(link === undefined ? {} : { link }),
    };
    await records.put("notification", { id, created_at, ...tenant, type, subject, ...sentence, read_at: null }, 0);
  };
}
