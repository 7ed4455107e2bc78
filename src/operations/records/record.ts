/**
 * The fields of every record of the portal: its level in the tree of tenants (portal-resolved.md, section 2). Levels below its own are
 * null: a record of a reseller has no `client_id`.
 */
export interface PortalRecord {
  readonly id: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly created_at: string;
  readonly reseller: string | null;
  readonly client_id: string | null;
  /** The user that owns it; null or absent where none does. */
  readonly user_id?: string | null;
}
