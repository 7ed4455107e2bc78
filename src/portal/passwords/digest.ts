import { scrypt, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";

/** The cost of scrypt (CONSOLE, C4): 2¹⁷ blocks of 1 KiB, 128 MiB for about half a second. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const digestBytes = 32;

/** Digests that are computed at once, and those that wait; each needs 128 MiB while it is computed. */
const [mostAtOnce, mostWaiting] = [2, 16];

/** Returns the digest of a password. Rejects with `overloaded` where too many wait. */
type PasswordDigest = (password: string, salt: Uint8Array) => Promise<Buffer>;

/** Returns a digest function that computes a bounded number of digests at once. */
export function createPasswordDigest(): PasswordDigest {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (password, salt) => {
    if (waiting.length >= mostWaiting)
      throw new GatewayError("overloaded", "Too many logins are being checked. Try again in a few seconds.", {
        retryAfterMs: 5_000,
      });
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await digest(password, salt);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

/** Unicode composes the same password in different ways on different keyboards (RFC 8265). */
function digest(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFC"), salt, digestBytes, cost, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

/** Compares two digests in constant time. */
export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
