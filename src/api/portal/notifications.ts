import type { PortalRecord } from "./record.ts";

/** What the system has told, once; it lies where what it is about lies. */
export interface StoredNotification extends PortalRecord {
  /** What happened, e.g. `budget_80`. */
  readonly type: string;
  /** The sentence that is shown; never holds a secret. */
  readonly text: string;
  /** When it was read, RFC 3339 in UTC; null until then. */
  readonly read_at: string | null;
}
