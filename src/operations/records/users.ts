import type { PortalRecord } from "./record.ts";

/** The languages that the gateway has texts in, by their codes (BCP 47), the default one first. */
export const languageCodes = ["en", "it", "de", "fr", "es"] as const;
export type LanguageCode = (typeof languageCodes)[number];

/** The levels of the tree of tenants, from the top. */
export type Level = "provider" | "reseller" | "client" | "user";

/** A user. `level` says which of `reseller`, `client_id` and the user itself bound its scope. */
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
  /** The code of the language that it reads; absent where it has chosen none. */
  readonly language?: string | undefined;
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

/**
 * Who gave something, and what bounds it for as long as it is used: a permission that the giver loses is lost to what it gave. `*` among
 * `permissions` bounds nothing.
 */
export interface StoredGiver {
  /** The user; `operator` for someone with access to the store itself. */
  readonly user_id: string;
  /** The token that it gave with. What that token permits now bounds what it gave; null for a caller of this process. */
  readonly token_id: string | null;
  /** Users whose present permissions bound it too. One that is disabled or gone has none. */
  readonly users: readonly string[];
  readonly permissions: readonly string[];
}

/** An access token without its value: valid from `starts_at` to before `ends_at`, RFC 3339 in UTC. */
export interface StoredToken extends PortalRecord {
  readonly user_id: string;
  /** SHA-256 of the value, in hexadecimal. */
  readonly hash: string;
  /** The last four characters of the value, to tell tokens apart. */
  readonly last4: string;
  readonly name: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  /** The permissions of the token, bounded by its owner's and its giver's; `*` is all of the owner's. */
  readonly permissions: readonly string[];
  /** Who gave them. Absent only in tokens that an older version stored, until the portal first opens the store. */
  readonly giver?: StoredGiver | undefined;
}

/**
 * One requested change, or one reading of a secret, and its outcome; never contains a secret. It belongs to the tenant whose thing was
 * changed, so that this tenant and the levels above see it; where that is not known, to the tenant of the user who requested it.
 */
export interface AuditEntry extends PortalRecord {
  /** The user who requested it; null for the system itself. */
  readonly user_id: string | null;
  readonly token_id: string | null;
  /** `area.name` of the operation. */
  readonly operation: string;
  /** The target of the change: the path's parameters and the fields that identify something, e.g. `{ "backup_id": "b-1" }`. */
  readonly target: Readonly<Record<string, string>>;
  /** The id of what was made, or else of what was changed. Like the next two, absent in entries of older versions. */
  readonly target_id?: string | null | undefined;
  /** Names of the user and of its token at that time; the token's is null for a session or a caller of this process. */
  readonly actor?: { readonly username: string; readonly token_name: string | null } | undefined;
  /** Names of the fields that the change wrote; empty for what was made, removed or only read. */
  readonly changed?: readonly string[] | undefined;
  /** Why, where a change asks for it: limits that were reset by hand. */
  readonly reason?: string | undefined;
  readonly region: string;
  /** `ok`, or the code of the error; `begun` while it runs, and for ever where the process died first. */
  readonly outcome: string;
  readonly event_id: string;
  /** How often it was refused on that day; absent for once. */
  readonly count?: number | undefined;
}
