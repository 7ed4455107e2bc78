import type { PortalRecord } from "./record.ts";

/** The limit of a level of the tree of tenants, and its allotments to lower levels. One record for each scope, region and quota. */
export interface StoredQuota extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  readonly quota: string;
  /** A resource of the client or of the level above, e.g. an infrastructure project; null for the level as a whole. */
  readonly resource_id: string | null;
  /** Null for no limit, which only the provider's level can have. */
  readonly limit: number | null;
  /** The limits of those directly below, by the ids of their records; their sum never exceeds `limit`. */
  readonly allotted: Readonly<Record<string, number>>;
}

/** What a resource used when the job last read it. It belongs to the tenant of the resource. Instants are milliseconds since the epoch. */
export interface StoredResourceUsage extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  readonly resource_id: string;
  /** Amounts by the quota's name. */
  readonly used: Readonly<Record<string, number>>;
  readonly read_at: number;
  /** The last attempt, which failed where `message` says why. */
  readonly tried_at: number;
  readonly message: string | null;
}
