import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import { createBoundedCache } from "../../engine/runtime/bounded-cache.ts";
import type { StoredToken } from "../../operations/records/users.ts";
import type { Caller } from "../call/call.ts";

/** A caller, and the token that bounds it; null where none does. */
export interface KnownCaller {
  readonly token: StoredToken | null;
  readonly caller: Caller;
}

/** Returns the caller of a credential, by a name of the credential that identifies it. */
export type CallerCache = (
  name: string,
  load: () => Promise<KnownCaller | undefined>,
) => Promise<KnownCaller | undefined>;

/** The number of cached callers. Any change of a record of `accessKinds` clears the cache. */
const cachedCount = 1_000;
const accessKinds = ["token", "user", "tenant", "role", "profile", "profile_assignment"] as const;

/** Returns a cache of callers. A change of a token, its owner or the owner's roles and profiles holds from the next call on. */
export function createCallerCache(records: Records): CallerCache {
  const cache = createBoundedCache<KnownCaller>(cachedCount);
  let stamp = records.stamp(accessKinds);
  return async (name, load) => {
    const current = records.stamp(accessKinds);
    if (current !== stamp) {
      cache.clear();
      stamp = current;
    }
    const known = cache.get(name) ?? (await load());
    if (known && current === records.stamp(accessKinds)) cache.set(name, known);
    return known;
  };
}

/** Returns why a token is not valid now; undefined when it is. It is valid from its start to before its end. */
export function refuseToken({ starts_at, ends_at }: StoredToken, now: number): GatewayError | undefined {
  if (starts_at !== null && now < Date.parse(starts_at))
    return new GatewayError("token_not_yet_valid", `The access token is valid from ${starts_at}.`);
  if (ends_at !== null && now >= Date.parse(ends_at))
    return new GatewayError("token_expired", `The access token expired at ${ends_at}. Create a new one.`);
  return undefined;
}
