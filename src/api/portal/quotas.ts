import type { PortalRecord } from "./record.ts";

/** How much of a quota a level of the tree of tenants has, and what it has given to those below. One record per place, region and quota. */
export interface StoredQuota extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  readonly quota: string;
  /** A resource of the client or of the level above, e.g. an infrastructure project; null for the level as a whole. */
  readonly resource_id: string | null;
  /** Null where nothing limits, which only the provider's level can have. */
  readonly limit: number | null;
  /** The limits of those directly below, by the ids of their records; they never add up beyond `limit`. */
  readonly allotted: Readonly<Record<string, number>>;
}
