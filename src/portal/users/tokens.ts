import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalToken } from "../../operations/portal/tenancy/users.ts";
import type { StoredGiver, StoredToken } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { mintToken } from "../identity/authenticator.ts";
import { checkNames, refuseEscalation } from "../identity/escalation.ts";
import { checkChain, giverOf, isWithin, passOn, permissionsOfToken, permissionsOfUser } from "../identity/giver.ts";
import { grantsOf, limitToOwner } from "../identity/permission-sources.ts";
import { everyPermission } from "../permissions.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, notFound, read, readAll, remove } from "../tenancy/record-access.ts";
import { earlier, moveEnd, readDates } from "./token-term.ts";

/** The access tokens of users. */
export function tokensArea(deps: PortalDeps) {
  return {
    async tokens({ user_id }, { records }) {
      await read(records, "user", user_id);
      return (await readAll(records, "token", { user_id })).map(showToken);
    },
    async createToken({ user_id, name, starts_at, ends_at, permissions = [] }, call) {
      await checkPermissions(deps, call, { user_id, permissions });
      const { reseller, client_id } = await read(call.records, "user", user_id);
      const giver = await giverOf(deps, call.caller);
      await checkChain(deps, giver);
      const { value, hash, last4 } = mintToken(deps.entropy(32));
      const dates = readDates(starts_at, ends_at, { latest: await endOf(deps, giver), now: call.now });
      const created_at = new Date(call.now).toISOString();
      const scope = { reseller, client_id, user_id };
      const token: StoredToken = {
        id: deps.newId("tok"),
        created_at,
        ...scope,
        name,
        ...dates,
        hash,
        last4,
        permissions,
        giver,
      };
      await add(call.records, "token", token);
      return { ...showToken(token), value };
    },
    setPermissions: (input, call) => changeToken(deps, input, call),
    async revokeToken({ user_id, token_id }, call) {
      const token = await readToken(call, user_id, token_id);
      await passOn({ records: call.allRecords }, token);
      await remove(call.records, "token", token_id);
    },
  } satisfies AreaBackend<"users">;
}

type TokenPatch = InputOf<Areas["users"]["setPermissions"]>;

/** Changes what is named of a token: its permissions, its end and its name, in this order. */
async function changeToken(deps: PortalDeps, patch: TokenPatch, call: PortalCall): Promise<PortalToken> {
  const { user_id, token_id, permissions, ends_at, name } = patch;
  let token = await readToken(call, user_id, token_id);
  if (permissions !== undefined) token = await setPermissions(deps, { token, permissions }, call);
  if (ends_at !== undefined) token = await setEnd(deps, { token, ends_at }, call);
  if (name !== undefined) token = await change(call.records, "token", { id: token_id, by: (at) => ({ ...at, name }) });
  return showToken(token);
}

/**
 * Sets the permissions of a token. Some of those that it has anyway stay given by its giver. Otherwise the caller becomes the giver, and
 * the token ends with the caller's at the latest.
 */
async function setPermissions(
  deps: PortalDeps,
  { token, permissions }: { readonly token: StoredToken; readonly permissions: readonly string[] },
  call: PortalCall,
): Promise<StoredToken> {
  const { id, user_id } = token;
  await checkPermissions(deps, call, { user_id, permissions });
  const isListed =
    token.permissions.includes(everyPermission) || isWithin(new Set(permissions), new Set(token.permissions));
  const named = limitToOwner(permissions, await permissionsOfUser(deps, user_id));
  const isLess = isListed && isWithin(named, await permissionsOfToken(deps, token));
  if (isLess) return change(call.records, "token", { id, by: (at) => ({ ...at, permissions }) });
  const giver = await giverOf(deps, call.caller);
  await checkChain(deps, giver, id);
  const end = await endOf(deps, giver);
  const by = (at: StoredToken) => ({ ...at, permissions, giver, ends_at: earlier(at.ends_at, end) });
  return change(call.records, "token", { id, by });
}

/**
 * Moves the end of a token. A later one gives the token's permissions anew: the caller must have them, becomes the giver, and its own token
 * must last as long. Any caller may set an earlier one, and is warned. Throws `conflict` for a token that has ended.
 */
async function setEnd(
  deps: PortalDeps,
  { token, ends_at: wanted }: { readonly token: StoredToken; readonly ends_at: string | null },
  call: PortalCall,
): Promise<StoredToken> {
  const { id, user_id, permissions } = token;
  const giver = await giverOf(deps, call.caller);
  const { ends_at, direction } = moveEnd(token, { ends_at: wanted, latest: await endOf(deps, giver), now: call.now });
  if (direction === "same") return token;
  if (direction === "earlier") {
    call.warn?.([`The token now ends earlier, at ${ends_at}: before, ${token.ends_at ?? "it had no end"}.`]);
    return change(call.records, "token", { id, by: (at) => ({ ...at, ends_at }) });
  }
  const { enabled, username } = await read(call.records, "user", user_id);
  if (!enabled)
    throw new GatewayError("conflict", `The token's user \`${username}\` is disabled: enable it first.`, {
      param: "ends_at",
    });
  await checkPermissions(deps, call, { user_id, permissions });
  await checkChain(deps, giver, id);
  return change(call.records, "token", { id, by: (at) => ({ ...at, ends_at, giver }) });
}

/** Returns the end of the token that gives; null where it has none, or none is used. */
async function endOf({ records }: PortalDeps, { token_id }: StoredGiver): Promise<string | null> {
  return token_id === null ? null : ((await records.get("token", token_id))?.record.ends_at ?? null);
}

async function readToken({ records }: PortalCall, userId: string, id: string): Promise<StoredToken> {
  const token = await read(records, "token", id);
  if (token.user_id !== userId) throw notFound("token", id);
  return token;
}

interface TokenGrant {
  readonly user_id: string;
  readonly permissions: readonly string[];
}

/** Refuses permissions that the token's owner, or the caller itself, does not have; `*` is all of the owner's. */
async function checkPermissions(
  deps: PortalDeps,
  call: PortalCall,
  { user_id, permissions }: TokenGrant,
): Promise<void> {
  const owner = await read(call.records, "user", user_id);
  checkNames(permissions);
  const granted = await grantsOf(owner, deps.records, deps.permissionSources);
  const names = permissions.includes(everyPermission) ? [...granted] : permissions;
  refuseEscalation(names, granted, `the user \`${owner.username}\``);
  refuseEscalation(names, call.caller.permissions, "the caller");
}

function showToken({ hash: _secret, giver: _giver, permissions, ...token }: StoredToken): PortalToken {
  return { ...token, permissions: [...permissions] };
}
