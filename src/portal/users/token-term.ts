import { GatewayError } from "../../engine/errors.ts";
import type { StoredToken } from "../../operations/records/users.ts";

/** Both are in UTC with milliseconds, and so in the order of their texts; null is later than any. */
export function earlier(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : one < other ? one : other;
}

/** Returns the dates of a new token. Without an end of its own it ends with the token that makes it. */
export function readDates(start: string | undefined, end: string | undefined, { latest, now }: TermLimits) {
  const starts_at = start === undefined ? null : new Date(start).toISOString();
  const ends_at = end === undefined ? latest : new Date(end).toISOString();
  if (ends_at !== null && Date.parse(ends_at) <= now) throw badEnd("is in the past: the token could never be used");
  refuseEnd({ starts_at, ends_at }, latest);
  return { starts_at, ends_at };
}

/** What bounds the end of a new token: the end of the token that makes it, null where it has none, and the present instant. */
interface TermLimits {
  readonly latest: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type TokenTerm = Pick<StoredToken, "starts_at" | "ends_at">;

/** Throws `invalid_request` for an end after `latest`, or not after the start. */
function refuseEnd({ starts_at, ends_at }: TokenTerm, latest: string | null): void {
  if (latest !== null && (ends_at === null || ends_at > latest))
    throw badEnd(`must not be after ${latest}, when the token that sets it ends`);
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) throw badEnd("must be later than `starts_at`");
}

/** A wanted end of a token that there is. */
interface WantedEnd {
  /** RFC 3339; null for a token without an end. */
  readonly ends_at: string | null;
  /** The end of the caller's own token; null where it has none. */
  readonly latest: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What the change of an end is: `later` gives a right, `earlier` takes one. */
export interface TermChange {
  readonly ends_at: string | null;
  readonly direction: "later" | "earlier" | "same";
}

/**
 * Returns the change of a token's end. Throws `conflict` for a token that has ended, which stays so, and `invalid_request` for a later end
 * that is after the end of the caller's own token, or an end in the past.
 */
export function moveEnd(token: TokenTerm, { ends_at: wanted, latest, now }: WantedEnd): TermChange {
  if (token.ends_at !== null && Date.parse(token.ends_at) <= now) {
    const message = `The token ended at ${token.ends_at}: it cannot be extended. Create a new one.`;
    throw new GatewayError("conflict", message, { param: "ends_at" });
  }
  const ends_at = wanted === null ? null : new Date(wanted).toISOString();
  if (ends_at === token.ends_at) return { ends_at, direction: "same" };
  const direction = earlier(ends_at, token.ends_at) === ends_at ? "earlier" : "later";
  if (ends_at !== null && Date.parse(ends_at) <= now) throw badEnd("is in the past: revoke the token to end it now");
  refuseEnd({ starts_at: token.starts_at, ends_at }, direction === "later" ? latest : null);
  return { ends_at, direction };
}

function badEnd(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`ends_at\`: ${problem}.`, { param: "ends_at" });
}
