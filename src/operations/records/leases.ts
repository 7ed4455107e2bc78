import type { PortalRecord } from "./record.ts";

/** The lease of work that one process does at a time. It belongs to no tenant, and exists only while a process holds it. */
export interface StoredLease extends PortalRecord {
  /** Milliseconds since the epoch: from then on another process may take it. */
  readonly lapses_at: number;
}
