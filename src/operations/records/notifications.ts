import type { PortalRecord } from "./record.ts";

/** The types of notifications (portal-resolved.md, section 6). */
export type NotificationType =
  | "budget_80"
  | "budget_100"
  | "key_limited"
  | "backup_failed"
  | "backup_lost"
  | "backup_restored"
  | "restore_failed"
  | "task_ended"
  | "token_expiring"
  | "alert_triggered"
  | "alert_resolved";

/** A notification. It belongs to the tenant of its subject. */
export interface StoredNotification extends PortalRecord {
  /** The type of the event, e.g. `budget_80`. */
  readonly type: string;
  /** The sentence in the default language; never holds a secret. */
  readonly text: string;
  /** The key of the sentence's text in every language, and its parameters; absent in notifications of older versions. */
  readonly key?: string | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** The path of the operation that reads what the event is about. */
  readonly link?: string | undefined;
  /** What the event is about, e.g. the id of a task; absent in notifications of older versions. */
  readonly subject?: string | undefined;
  /** When an older version marked it as read, for all users; null where none did. */
  readonly read_at: string | null;
  /** When each user has read it, RFC 3339 in UTC, by the user's id. */
  readonly read_by?: Readonly<Record<string, string>> | undefined;
}
