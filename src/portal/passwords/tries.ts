import { GatewayError } from "../../engine/errors.ts";
import { createBoundedCache } from "../../engine/runtime/bounded-cache.ts";

/** The window in which tries are counted, and the most that fail in it: of one user (CONSOLE, C4), and from one address. */
const tryWindowMs = 15 * 60_000;
const mostOfUser = 10;
const mostOfAddress = 100;
const rememberedAddresses = 10_000;

/** Returns the tries that still count. */
export function recentTries(tries: readonly number[], now: number): number[] {
  return tries.filter((at) => now - at < tryWindowMs).slice(-mostOfUser);
}

/** Throws `request_limited` where a user has no try left. */
export function refuseTries(tries: readonly number[], now: number): void {
  if (recentTries(tries, now).length >= mostOfUser) throw tooMany("this user", (tries.at(-mostOfUser) ?? now) - now);
}

/** Where a try comes from, and when, in milliseconds since the epoch. */
interface TrySource {
  readonly address: string | undefined;
  readonly now: number;
}

/** Counts failed tries by address, in this process. */
interface AddressTries {
  /** Runs a try, and counts it where it fails. Throws `request_limited` where the address has no try left. */
  guard<Value>(from: TrySource, attempt: () => Promise<Value>): Promise<Value>;
}

/** Returns an empty count of tries. Addresses beyond the 10,000 latest are forgotten. */
export function createAddressTries(): AddressTries {
  const byAddress = createBoundedCache<{ readonly since: number; count: number }>(rememberedAddresses);
  const windowOf = (address: string, now: number) => {
    const present = byAddress.get(address);
    return present && now - present.since < tryWindowMs ? present : { since: now, count: 0 };
  };
  return {
    async guard({ address, now }, attempt) {
      if (address === undefined) return attempt();
      const { since, count } = windowOf(address, now);
      if (count >= mostOfAddress) throw tooMany("this address", since - now);
      return attempt().catch((thrown: unknown) => {
        const present = windowOf(address, now);
        byAddress.set(address, { since: present.since, count: present.count + 1 });
        throw thrown;
      });
    },
  };
}

function tooMany(whose: string, sinceOldest: number): GatewayError {
  const message = `Too many failed logins of ${whose}. Try again later, or log in with an access token.`;
  return new GatewayError("request_limited", message, { retryAfterMs: Math.max(1_000, tryWindowMs + sinceOldest) });
}
