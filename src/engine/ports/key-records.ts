import type { VirtualKey } from "../api/governance.ts";

/** A virtual key as it is stored: what is shown, and the SHA-256 of its value in hexadecimal. */
export interface StoredKey extends VirtualKey {
  readonly hash: string;
}

/** A value that a rotated key had before, accepted until it ends. */
export interface RetiredKey {
  readonly id: string;
  readonly key_id: string;
  /** Of the value, as {@link StoredKey} has it. */
  readonly hash: string;
  /** RFC 3339; the value is refused from then on. */
  readonly expires_at: string;
  readonly created_at: string;
}
