import type { StoredGiver, StoredToken } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import { everyPermission } from "../../operations/permissions.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalToken } from "../../operations/portal/tenancy/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { mintToken } from "../identity/authenticator.ts";
import { checkNames, refuseEscalation } from "../identity/escalation.ts";
import { checkChain, giverOf, isWithin, passOn, permissionsOfToken, permissionsOfUser } from "../identity/giver.ts";
import { grantsOf, limitToOwner } from "../identity/permission-sources.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, notFound, read, readAll, remove } from "../tenancy/record-access.ts";

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
      const dates = readDates(starts_at, ends_at, await endOf(deps, giver));
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
    setPermissions: (input, call) => setPermissions(deps, input, call),
    async revokeToken({ user_id, token_id }, call) {
      const token = await readToken(call, user_id, token_id);
      await passOn(deps, token);
      await remove(call.records, "token", token_id);
    },
  } satisfies AreaBackend<"users">;
}

type PermissionsPatch = InputOf<Areas["users"]["setPermissions"]>;

/**
 * Sets the permissions of a token. Some of those that it has anyway stay given by its giver. Otherwise the caller becomes the giver, and
 * the token ends with the caller's at the latest.
 */
async function setPermissions(
  deps: PortalDeps,
  { user_id, token_id, permissions }: PermissionsPatch,
  call: PortalCall,
): Promise<PortalToken> {
  const token = await readToken(call, user_id, token_id);
  await checkPermissions(deps, call, { user_id, permissions });
  const isListed =
    token.permissions.includes(everyPermission) || isWithin(new Set(permissions), new Set(token.permissions));
  const named = limitToOwner(permissions, await permissionsOfUser(deps, user_id));
  const isLess = isListed && isWithin(named, await permissionsOfToken(deps, token));
  if (isLess)
    return showToken(await change(call.records, "token", { id: token_id, by: (at) => ({ ...at, permissions }) }));
  const giver = await giverOf(deps, call.caller);
  await checkChain(deps, giver, token_id);
  const end = await endOf(deps, giver);
  const by = (at: StoredToken) => ({ ...at, permissions, giver, ends_at: earlier(at.ends_at, end) });
  return showToken(await change(call.records, "token", { id: token_id, by }));
}

/** Returns the end of the token that gives; null where it has none, or none is used. */
async function endOf({ records }: PortalDeps, { token_id }: StoredGiver): Promise<string | null> {
  return token_id === null ? null : ((await records.get("token", token_id))?.record.ends_at ?? null);
}

/** Both are in UTC with milliseconds, and so in the order of their texts. */
function earlier(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : one < other ? one : other;
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

/** Returns the dates of a new token. Without an end of its own it ends with the token that makes it. */
function readDates(start: string | undefined, end: string | undefined, latest: string | null) {
  const starts_at = start === undefined ? null : new Date(start).toISOString();
  const ends_at = end === undefined ? latest : new Date(end).toISOString();
  if (latest !== null && ends_at !== null && ends_at > latest)
    throw badEnd(`must not be after ${latest}, when the token that makes it ends`);
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) throw badEnd("must be later than `starts_at`");
  return { starts_at, ends_at };
}

function badEnd(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`ends_at\`: ${problem}.`, { param: "ends_at" });
}

function showToken({ hash: _secret, giver: _giver, permissions, ...token }: StoredToken): PortalToken {
  return { ...token, permissions: [...permissions] };
}
