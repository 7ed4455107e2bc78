import type { PortalRecord } from "./record.ts";

/** The levels of the tree of tenants, from the top. */
export type Level = "provider" | "reseller" | "client" | "user";

/** A user: its place is its `level` of `reseller`, `client_id` and itself. */
export interface StoredUser extends PortalRecord {
  /** The user's own id. */
  readonly user_id: string;
  readonly level: Level;
  readonly username: string;
  /** SHA-256 of the username in lower case: no two users have the same, and the store finds them by it. */
  readonly hash: string;
  readonly email?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly enabled: boolean;
  /** Ids of roles. */
  readonly roles: readonly string[];
}

/** A named set of permissions; `*` among them is every permission there is. */
export interface StoredRole extends PortalRecord {
  readonly name: string;
  readonly description?: string | undefined;
  readonly permissions: readonly string[];
}

/** An access token without its value: good from `starts_at` to before `ends_at`, RFC 3339 in UTC. */
export interface StoredToken extends PortalRecord {
  readonly user_id: string;
  /** SHA-256 of the value, in hexadecimal. */
  readonly hash: string;
  /** The last four characters of the value, to tell tokens apart. */
  readonly last4: string;
  readonly name: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  /** What the token may do, as far as its owner may; `*` is all that. */
  readonly permissions: readonly string[];
}

/** One change that was asked for and what became of it; never holds a secret. */
export interface AuditEntry extends PortalRecord {
  /** Who asked; null for the system itself. */
  readonly user_id: string | null;
  readonly token_id: string | null;
  /** `area.name` of the operation. */
  readonly operation: string;
  /** What the change is of: the path's parameters and the fields that name something, e.g. `{ "backup_id": "b-1" }`. */
  readonly target: Readonly<Record<string, string>>;
  readonly region: string;
  /** `ok`, or the code of the error; `begun` while it is under way, and where the process ended before it was known. */
  readonly outcome: string;
  readonly event_id: string;
}
