import { hash } from "node:crypto";
import type { Clock } from "../ports/clock.ts";
import type { Records } from "../ports/records.ts";
import type { ScopedRecord } from "./tenancy/tenant-scope.ts";

/** The types of notifications (portal-resolved.md, section 6). */
export type NoticeType = "budget_80" | "budget_100" | "key_limited" | "backup_failed" | "task_ended" | "token_expiring";

/** An event that users should know of. */
export interface Notice {
  readonly type: NoticeType;
  /** What the event is about, e.g. the id of a task that ended. A second notice of the same type and subject is dropped. */
  readonly subject: string;
  /** A complete sentence without secrets. */
  readonly text: string;
  /** The tenant of the subject, e.g. any record of the portal: every caller who sees the subject sees the notification. */
  readonly scope: ScopedRecord;
}

/** Stores a notification, unless one of the same type and subject exists. */
export type Notify = (notice: Notice) => Promise<void>;

/** Returns the notifier over a store. Ids are derived from type and subject: a repeated notice, in any process, stores one record. */
export function createNotify({ records, clock }: { readonly records: Records; readonly clock: Clock }): Notify {
  return async ({ type, subject, text, scope }) => {
    const { reseller = null, client_id = null, user_id = null } = scope;
    const id = `ntf_${hash("sha256", JSON.stringify([type, subject]), "hex").slice(0, 24)}`;
    const created_at = new Date(clock.now()).toISOString();
    await records.put("notification", { id, created_at, reseller, client_id, user_id, type, text, read_at: null }, 0);
  };
}
