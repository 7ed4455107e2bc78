import { LRUCache } from "lru-cache";
import type { StoredToken } from "../api/portal/users.ts";
import { GatewayError } from "../errors.ts";
import { hashKey, isSameHash, isVirtualKey, mintKey, tokenPrefix } from "../policy/key.ts";
import type { Records } from "../ports/records.ts";
import type { Clock } from "../ports.ts";
import type { Caller } from "./call.ts";
import { type Grantor, grantsOf, limitToOwner } from "./grants.ts";
import { placeOfUser } from "./user.ts";

/** Makes the value of a token from 32 bytes of chance, with what is stored of it. */
export function mintToken(chance: Uint8Array) {
  return mintKey(chance, tokenPrefix);
}

/** Why a token is not good now; undefined when it is. Good from its start to before its end. */
function refuseToken({ starts_at, ends_at }: StoredToken, now: number): GatewayError | undefined {
  if (starts_at !== null && now < Date.parse(starts_at))
    return new GatewayError("token_not_yet_valid", `The access token is good from ${starts_at} on.`);
  if (ends_at !== null && now >= Date.parse(ends_at))
    return new GatewayError("token_expired", `The access token was good until ${ends_at}; make another.`);
  return undefined;
}

/** Makes out who sent a token. Throws the 401s of portal-resolved.md, section 2. */
export type Authenticate = (value: string | undefined) => Promise<Caller>;

/** What tokens are checked against. */
export interface TokenBook {
  readonly records: Records;
  readonly clock: Clock;
  readonly grantors: readonly Grantor[];
  /** What virtual keys begin with: they are told apart. */
  readonly keyPrefix: string;
}

interface Known {
  readonly token: StoredToken;
  readonly caller: Caller;
}

/** Tokens that are kept ready; what is kept is forgotten whenever one of the records that it is made of changes. */
const keptReady = 1_000;
const standing = ["token", "user", "role", "profile", "profile_assignment"] as const;

/** Checks tokens against the records. A change of a token, its owner or the owner's roles holds from the next call on. */
export function createAuthenticator(book: TokenBook): Authenticate {
  const { records, clock, keyPrefix } = book;
  const ready = new LRUCache<string, Known>({ max: keptReady });
  let stamp = records.stamp(standing);
  return async (value) => {
    if (value === undefined) throw new GatewayError("token_required", "Send an access token in `auth-token`.");
    if (isVirtualKey(value, keyPrefix))
      throw new GatewayError(
        "virtual_key_not_accepted",
        "The portal takes access tokens, not virtual keys: they are for inference.",
      );
    const current = records.stamp(standing);
    if (current !== stamp) {
      ready.clear();
      stamp = current;
    }
    const hash = hashKey(value, tokenPrefix);
    const known = ready.get(hash) ?? (await load(book, hash));
    if (!known)
      throw new GatewayError("token_not_found", "The access token is unknown or revoked, or its user is disabled.");
    if (current === records.stamp(standing)) ready.set(hash, known);
    const refusal = refuseToken(known.token, clock.now());
    if (refusal) throw refusal;
    return known.caller;
  };
}

/** A user as a caller of this process, who may do all that it is granted. Throws `not_found`, also for a disabled user. */
export async function callerOf(userId: string, records: Records, grantors: readonly Grantor[]): Promise<Caller> {
  const stored = await records.get("user", userId);
  if (!stored?.record.enabled)
    throw new GatewayError("not_found", `There is no enabled user \`${userId}\`.`, { param: "id" });
  const { id, username } = stored.record;
  const permissions = await grantsOf(stored.record, records, grantors);
  return { user: { id, username }, place: placeOfUser(stored.record), permissions, token_id: null };
}

async function load({ records, grantors }: TokenBook, hash: string): Promise<Known | undefined> {
  const found = await records.findByHash("token", hash);
  if (!found || !isSameHash(found.record.hash, hash)) return undefined;
  const token = found.record;
  const owner = await records.get("user", token.user_id);
  if (!owner?.record.enabled) return undefined;
  const { id, username } = owner.record;
  const granted = await grantsOf(owner.record, records, grantors);
  const permissions = limitToOwner(token.permissions, granted);
  return {
    token,
    caller: { user: { id, username }, place: placeOfUser(owner.record), permissions, token_id: token.id },
  };
}
