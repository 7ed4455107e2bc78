import type { PortalRecord } from "./record.ts";

/**
 * A reseller, or a client of one. `reseller` and `client_id` are its place, which never changes and which its id is made of; a reseller has
 * no `client_id`.
 */
export interface StoredTenant extends PortalRecord {
  readonly reseller: string;
  /** Shown in place of `reseller` or `client_id`. */
  readonly name: string;
  /** An address of mail. */
  readonly contact?: string | undefined;
  readonly enabled: boolean;
  /** In the bin it is as if disabled, and is not listed unless asked for. */
  readonly status: "active" | "bin";
  /** When it was moved to the bin, RFC 3339; absent elsewhere. */
  readonly deleted_at?: string | undefined;
}
