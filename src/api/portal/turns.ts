import type { PortalRecord } from "./record.ts";

/** Who does, at the moment, what one process may do at a time. Lies nowhere in the tree of tenants, and is there only while it is held. */
export interface StoredTurn extends PortalRecord {
  /** In milliseconds since the epoch: from then on it is taken from whoever has not given it back. */
  readonly lapses_at: number;
}
