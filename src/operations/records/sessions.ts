import type { PortalRecord } from "./record.ts";

/** A session of the console without its value. Times are RFC 3339 in UTC. */
export interface StoredSession extends PortalRecord {
  readonly user_id: string;
  /** SHA-256 of the cookie's value, in hexadecimal. */
  readonly hash: string;
  /** The access token that opened it, whose permissions it has; null for a password, with all permissions of the user. */
  readonly token_id: string | null;
  /** Last use, exact to a minute: the idle end counts from it. */
  readonly seen_at: string;
  /** The absolute end. */
  readonly ends_at: string;
}

/** What the console remembers for a user. The id is the user's. */
export interface StoredUserSettings extends PortalRecord {
  readonly user_id: string;
  /** JSON of the console's own. */
  readonly settings: Readonly<Record<string, unknown>>;
}
