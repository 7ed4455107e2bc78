import type { PortalRecord } from "./record.ts";
import type { StoredGiver } from "./users.ts";

/** The password of a user, by scrypt. The id is the user's. */
export interface StoredPassword extends PortalRecord {
  readonly user_id: string;
  /** Base64. */
  readonly salt: string;
  /** Base64. */
  readonly digest: string;
  /** Instants of recent tries that have not succeeded, in milliseconds since the epoch. */
  readonly tries: readonly number[];
}

/** A link by which a user sets its password once. The id says nothing of its secret. */
export interface StoredPasswordLink extends PortalRecord {
  readonly user_id: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly hash: string;
  readonly kind: "invite" | "reset";
  /** RFC 3339 in UTC; it sets no password from then on. */
  readonly ends_at: string;
  /** Who made it: it is worth no more than this one may still give. */
  readonly giver: StoredGiver;
}

/** The one-time codes of a user (RFC 6238). The id is the user's. */
export interface StoredTotp extends PortalRecord {
  readonly user_id: string;
  /** The shared secret, in base32, sealed. */
  readonly sealed_secret: string;
  /** When a code was first shown to be right: from then on logins with a password need one. Null before. */
  readonly confirmed_at: string | null;
  /** The number of the time step of the last accepted code: it and those before are accepted no more. */
  readonly last_step: number;
  /** SHA-256 of the recovery codes that were not used, in hexadecimal. */
  readonly recovery: readonly string[];
  /** Instants of recent tries that have not succeeded, in milliseconds since the epoch. */
  readonly tries: readonly number[];
}
