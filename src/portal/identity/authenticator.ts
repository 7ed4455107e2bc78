import { GatewayError } from "../../engine/errors.ts";
import { hashKey, isSameHash, isVirtualKey, mintKey, tokenPrefix } from "../../engine/policy/key.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { Caller } from "../call/call.ts";
import { adoptTenants } from "../tenancy/adopt-tenants.ts";
import { refuseTenant } from "../tenancy/tenant-state.ts";
import { createCallerCache, type KnownCaller, refuseToken } from "./caller-cache.ts";
import { adoptTokens, type GrantDeps, permissionsOfToken } from "./giver.ts";
import { grantsOf, type PermissionSource } from "./permission-sources.ts";
import { scopeOfUser } from "./user-scope.ts";

/** Returns the value of a new token, made of 32 random bytes, and what is stored of it. */
export function mintToken(randomBytes: Uint8Array) {
  return mintKey(randomBytes, tokenPrefix);
}

/** Returns the caller who sent a token. Throws the 401 errors of portal-resolved.md, section 2. */
export type Authenticate = (value: string | undefined) => Promise<Caller>;

/** What tokens are checked against. */
export interface TokenVerifierDeps extends GrantDeps {
  readonly clock: Clock;
  /** The prefix of virtual keys, which are refused with an error of their own. */
  readonly keyPrefix: string;
}

/** Returns the check of tokens. A change of a token, its owner or the owner's roles and profiles holds from the next call on. */
export function createAuthenticator(deps: TokenVerifierDeps): Authenticate {
  const { records, clock, keyPrefix } = deps;
  const cached = createCallerCache(records);
  return async (value) => {
    if (value === undefined) throw new GatewayError("token_required", "Send an access token in `auth-token`.");
    if (isVirtualKey(value, keyPrefix))
      throw new GatewayError(
        "virtual_key_not_accepted",
        "The portal accepts access tokens only. Virtual keys are for inference.",
      );
    const hash = hashKey(value, tokenPrefix);
    const known = await cached(hash, () => load(deps, hash));
    if (!known?.token)
      throw new GatewayError("token_not_found", "The access token is unknown or revoked, or its user is disabled.");
    const refusal = refuseToken(known.token, clock.now());
    if (refusal) throw refusal;
    return known.caller;
  };
}

/** Returns a user as a caller of this process, with all its permissions. Throws `not_found`, also for a disabled user, and `token_not_found` for one of a disabled tenant. */
export async function callerOf(
  userId: string,
  records: Records,
  permissionSources: readonly PermissionSource[],
): Promise<Caller> {
  const stored = await records.get("user", userId);
  if (!stored?.record.enabled)
    throw new GatewayError("not_found", `There is no enabled user \`${userId}\`.`, { param: "id" });
  const refusal = await refuseTenant(records, stored.record);
  if (refusal) throw refusal;
  const { id, username } = stored.record;
  const permissions = await grantsOf(stored.record, records, permissionSources);
  return { user: { id, username }, scope: scopeOfUser(stored.record), permissions, token_id: null };
}

async function load(deps: TokenVerifierDeps, hash: string): Promise<KnownCaller | undefined> {
  const found = await deps.records.findByHash("token", hash);
  if (!found || !isSameHash(found.record.hash, hash)) return undefined;
  return callerOfToken(deps, found.record.id);
}

/** Returns the caller of a token by its id. Undefined for a token that is gone, or whose user is gone or disabled. Throws `token_not_found` where its tenant is disabled. */
export async function callerOfToken(deps: GrantDeps, id: string): Promise<KnownCaller | undefined> {
  const { records } = deps;
  const found = (await records.get("token", id))?.record;
  if (found && !found.giver) await adoptTokens(deps); // an older version shares the store
  const token = (await records.get("token", id))?.record;
  const owner = token && (await records.get("user", token.user_id));
  if (!token || !owner?.record.enabled) return undefined;
  const refusal = await refuseTenant(records, owner.record);
  if (refusal) throw refusal;
  const user = { id: owner.record.id, username: owner.record.username };
  const permissions = await permissionsOfToken(deps, token);
  const own = { user, scope: scopeOfUser(owner.record), permissions };
  return { token, caller: { ...own, token_id: token.id, token_name: token.name } };
}

/**
 * Returns a function that resolves when the tokens of older versions have a giver, and when the tenants that its records name are records,
 * which is seen to once. A failure is tried again with the next call.
 */
export function createReady(deps: GrantDeps & Pick<TokenVerifierDeps, "clock">): () => Promise<void> {
  let done: Promise<void> | undefined;
  const adopt = () => adoptTokens(deps).then(() => adoptTenants(deps.records, deps.clock.now()));
  return () => {
    done ??= adopt().catch((thrown: unknown) => {
      done = undefined;
      throw thrown;
    });
    return done;
  };
}
