import type { PortalRecord } from "./record.ts";

/** A notification. It belongs to the tenant of its subject. */
export interface StoredNotification extends PortalRecord {
  /** The type of the event, e.g. `budget_80`. */
  readonly type: string;
  /** The sentence that is shown; never holds a secret. */
  readonly text: string;
  /** When it was read, RFC 3339 in UTC; null until then. */
  readonly read_at: string | null;
}
