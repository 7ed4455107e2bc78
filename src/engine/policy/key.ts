import { hash, timingSafeEqual } from "node:crypto";

/** What a virtual key begins with unless the configuration says otherwise. */
export const defaultKeyPrefix = "sk-tg-";

/** What an access token of the portal begins with. */
export const tokenPrefix = "tg_at_";

/** Bytes of chance that a key is made of. */
export const keyEntropy = 32;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Digits that 32 bytes need in base 62. */
const digits = 43;

/** A new key: its value, to be shown once, and what is stored of it. */
export interface MintedKey {
  readonly value: string;
  readonly hash: string;
  readonly last4: string;
}

/** Makes a key from {@link keyEntropy} bytes of chance; letters and digits only, so that a double click selects it. */
export function mintKey(chance: Uint8Array, prefix: string = defaultKeyPrefix): MintedKey {
  if (chance.length !== keyEntropy) throw new RangeError(`a key is made of ${keyEntropy} random bytes`);
  let rest = BigInt(`0x${Buffer.from(chance).toString("hex")}`);
  let text = "";
  for (let count = 0; count < digits; count++) {
    text = `${alphabet[Number(rest % 62n)]}${text}`;
    rest /= 62n;
  }
  const value = `${prefix.toLowerCase()}${text}`;
  return { value, hash: hashKey(value, prefix), last4: value.slice(-4) };
}

/** True when a credential says of itself that it is a virtual key, in whatever letter case. */
export function isVirtualKey(credential: string, prefix: string = defaultKeyPrefix): boolean {
  return credential.length > prefix.length && credential.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
}

/** The SHA-256 by which a key is stored and found. Prefixes in another letter case give the same. */
export function hashKey(value: string, prefix: string = defaultKeyPrefix): string {
  const provided = isVirtualKey(value, prefix) ? prefix.toLowerCase() + value.slice(prefix.length) : value;
  return hash("sha256", provided, "hex");
}

/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const bytes = Buffer.from(one, "latin1");
  const others = Buffer.from(other, "latin1");
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/** Hides every virtual key and access token in a text: the prefix, in whatever letter case, and 43 characters. */
export function mintedHider(prefix: string): (text: string) => string {
  const either = [prefix, tokenPrefix].map((known) => known.replace(/[^0-9A-Za-z]/g, "\\$&")).join("|");
  const shape = new RegExp(`(${either})[0-9A-Za-z]{${digits}}`, "gi");
  const shortest = Math.min(prefix.length, tokenPrefix.length) + digits;
  return (text) => (text.length < shortest ? text : text.replace(shape, "$1[redacted]"));
}
