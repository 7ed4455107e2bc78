import { LRUCache } from "lru-cache";
import type { StoredToken } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";
import { hashKey, isSameHash, isVirtualKey, mintKey, tokenPrefix } from "../../policy/key.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Records } from "../../ports/records.ts";
import type { Caller } from "../call/call.ts";
import { adoptTokens, type GrantDeps, permissionsOfToken } from "./giver.ts";
import { grantsOf, type PermissionSource } from "./permission-sources.ts";
import { scopeOfUser } from "./user-scope.ts";

/** Returns the value of a new token, made of 32 random bytes, and what is stored of it. */
export function mintToken(randomBytes: Uint8Array) {
  return mintKey(randomBytes, tokenPrefix);
}

/** Returns why a token is not valid now; undefined when it is. It is valid from its start to before its end. */
function refuseToken({ starts_at, ends_at }: StoredToken, now: number): GatewayError | undefined {
  if (starts_at !== null && now < Date.parse(starts_at))
    return new GatewayError("token_not_yet_valid", `The access token is valid from ${starts_at}.`);
  if (ends_at !== null && now >= Date.parse(ends_at))
    return new GatewayError("token_expired", `The access token expired at ${ends_at}. Create a new one.`);
  return undefined;
}

/** Returns the caller who sent a token. Throws the 401 errors of portal-resolved.md, section 2. */
export type Authenticate = (value: string | undefined) => Promise<Caller>;

/** What tokens are checked against. */
export interface TokenVerifierDeps extends GrantDeps {
  readonly clock: Clock;
  /** The prefix of virtual keys, which are refused with an error of their own. */
  readonly keyPrefix: string;
}

interface KnownToken {
  readonly token: StoredToken;
  readonly caller: Caller;
}

/** The number of cached tokens. Any change of a record of `accessKinds` clears the cache. */
const cachedCount = 1_000;
const accessKinds = ["token", "user", "role", "profile", "profile_assignment"] as const;

/** Returns the check of tokens. A change of a token, its owner or the owner's roles and profiles holds from the next call on. */
export function createAuthenticator(deps: TokenVerifierDeps): Authenticate {
  const { records, clock, keyPrefix } = deps;
  const cache = new LRUCache<string, KnownToken>({ max: cachedCount });
  let stamp = records.stamp(accessKinds);
  return async (value) => {
    if (value === undefined) throw new GatewayError("token_required", "Send an access token in `auth-token`.");
    if (isVirtualKey(value, keyPrefix))
      throw new GatewayError(
        "virtual_key_not_accepted",
        "The portal accepts access tokens only. Virtual keys are for inference.",
      );
    const current = records.stamp(accessKinds);
    if (current !== stamp) {
      cache.clear();
      stamp = current;
    }
    const hash = hashKey(value, tokenPrefix);
    const known = cache.get(hash) ?? (await load(deps, hash));
    if (!known)
      throw new GatewayError("token_not_found", "The access token is unknown or revoked, or its user is disabled.");
    if (current === records.stamp(accessKinds)) cache.set(hash, known);
    const refusal = refuseToken(known.token, clock.now());
    if (refusal) throw refusal;
    return known.caller;
  };
}

/** Returns a user as a caller of this process, with all its permissions. Throws `not_found`, also for a disabled user. */
export async function callerOf(
  userId: string,
  records: Records,
  permissionSources: readonly PermissionSource[],
): Promise<Caller> {
  const stored = await records.get("user", userId);
  if (!stored?.record.enabled)
    throw new GatewayError("not_found", `There is no enabled user \`${userId}\`.`, { param: "id" });
  const { id, username } = stored.record;
  const permissions = await grantsOf(stored.record, records, permissionSources);
  return { user: { id, username }, scope: scopeOfUser(stored.record), permissions, token_id: null };
}

async function load(deps: TokenVerifierDeps, hash: string): Promise<KnownToken | undefined> {
  const { records } = deps;
  const found = await records.findByHash("token", hash);
  if (!found || !isSameHash(found.record.hash, hash)) return undefined;
  if (!found.record.giver) await adoptTokens(deps); // an older version shares the store
  const token = (await records.get("token", found.record.id))?.record;
  const owner = token && (await records.get("user", token.user_id));
  if (!token || !owner?.record.enabled) return undefined;
  const { id, username } = owner.record;
  const permissions = await permissionsOfToken(deps, token);
  return {
    token,
    caller: { user: { id, username }, scope: scopeOfUser(owner.record), permissions, token_id: token.id },
  };
}

/**
 * Returns a function that resolves when the tokens of older versions have a giver, which is seen to once. A failure is tried again with the
 * next call.
 */
export function createReady(deps: GrantDeps): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= adoptTokens(deps).catch((thrown: unknown) => {
      done = undefined;
      throw thrown;
    });
    return done;
  };
}
