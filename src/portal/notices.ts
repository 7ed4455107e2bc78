import { hash } from "node:crypto";
import type { Records } from "../ports/records.ts";
import type { Clock } from "../ports.ts";
import type { Placed } from "./scope.ts";

/** What the system tells of (portal-resolved.md, section 6). */
export type NoticeType = "budget_80" | "budget_100" | "key_limited" | "backup_failed" | "task_ended" | "token_expiring";

/** Something that happened and that people should know. */
export interface Notice {
  readonly type: NoticeType;
  /** What happened to what: a second notice of the same type and subject is not told. E.g. the id of the task that ended. */
  readonly subject: string;
  /** A whole sentence; never holds a secret. */
  readonly text: string;
  /** Where what it is about lies: who sees that sees the notification. Any record of the portal will do. */
  readonly place: Placed;
}

/** Makes a notification of a notice, unless the same was told before. */
export type Notify = (notice: Notice) => Promise<void>;

/** Notifications over the store: the id is made of the notice, so that telling twice, in one process or in two, stores one record. */
export function createNotify({ records, clock }: { readonly records: Records; readonly clock: Clock }): Notify {
  return async ({ type, subject, text, place }) => {
    const { reseller = null, client_id = null, user_id = null } = place;
    const id = `ntf_${hash("sha256", JSON.stringify([type, subject]), "hex").slice(0, 24)}`;
    const created_at = new Date(clock.now()).toISOString();
    await records.put("notification", { id, created_at, reseller, client_id, user_id, type, text, read_at: null }, 0);
  };
}
