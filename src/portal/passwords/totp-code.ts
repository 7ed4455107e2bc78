import { createHmac } from "node:crypto";
import { fromBase32 } from "./base32.ts";

/** One-time codes by time (RFC 6238): SHA-1, six digits, steps of 30 seconds, as the authenticator apps expect. */
const [digits, stepMs] = [6, 30_000];

/** Steps before and after the present one whose codes are taken, for clocks that differ. */
const window = 1;

/** Returns the code of a time step. `secret` is in base32. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, "0");
}

/** Returns the number of the time step at an instant, in milliseconds since the epoch. */
export function stepAt(now: number): number {
  return Math.floor(now / stepMs);
}

/** A code that a user has sent. */
export interface SentCode {
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The step of the last accepted code. */
  readonly last: number;
}

/** Returns the step whose code was sent, of those that are good now and come after the last one; undefined for none. */
export function findStep(secret: string, { code, now, last }: SentCode): number | undefined {
  const present = stepAt(now);
  for (let step = Math.max(present - window, last + 1, 0); step <= present + window; step++)
    if (codeOf(secret, step) === code) return step;
  return undefined;
}

/** Returns the address that authenticator apps read from a picture. */
export function otpAuthUri({ secret, username }: { readonly secret: string; readonly username: string }): string {
  const issuer = "tollgate";
  const query = new URLSearchParams({
    secret,
    issuer,
    algorithm: "SHA1",
    digits: `${digits}`,
    period: `${stepMs / 1_000}`,
  });
  return `otpauth://totp/${issuer}:${encodeURIComponent(username)}?${query}`;
}
