import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../engine/runtime/version-conflict.ts";
import type { StoredGiver, StoredToken } from "../../operations/records/users.ts";
import type { Caller } from "../call/call.ts";
import { allPermissions, everyPermission, expandPermissions } from "../permissions.ts";
import { readAll } from "../tenancy/record-access.ts";
import { refuseTenant } from "../tenancy/tenant-state.ts";
import { grantsOf, limitToOwner, type PermissionSource } from "./permission-sources.ts";

/** What permissions are worked out from. The records are those of all tenants: a giver may lie above what it gives to. */
export interface GrantDeps {
  readonly records: Records;
  readonly permissionSources: readonly PermissionSource[];
}

const none: ReadonlySet<string> = new Set();

/** The most tokens between a token and the first that was given without one. */
const longestChain = 32;

/** Returns the permissions of a user now. A user that is disabled or gone, or whose tenant is, has none. */
export async function permissionsOfUser(deps: GrantDeps, id: string): Promise<ReadonlySet<string>> {
  const user = (await deps.records.get("user", id))?.record;
  if (!user?.enabled || (await refuseTenant(deps.records, user))) return none;
  return grantsOf(user, deps.records, deps.permissionSources);
}

/** Returns what a token permits now: what it lists, as far as its owner has it and as far as its giver has it. */
export async function permissionsOfToken(
  deps: GrantDeps,
  token: StoredToken,
  path: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  if (path.includes(token.id)) return none;
  const own = limitToOwner(token.permissions, await permissionsOfUser(deps, token.user_id));
  if (own.size === 0 || !token.giver) return own;
  return meet(own, await permissionsOfGiver(deps, token.giver, [...path, token.id]));
}

/** Returns what a giver can give now. A token that is gone can give nothing. */
export async function permissionsOfGiver(
  deps: GrantDeps,
  { token_id, users, permissions }: StoredGiver,
  path: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  let bound = expandPermissions(permissions);
  for (const id of users) bound = meet(bound, await permissionsOfUser(deps, id));
  if (token_id === null) return bound;
  const token = (await deps.records.get("token", token_id))?.record;
  return token ? meet(bound, await permissionsOfToken(deps, token, path)) : none;
}

/** Returns a caller as a giver. A caller that has less than its token or its user gives no more than it has. */
export async function giverOf(deps: GrantDeps, { user, token_id, permissions }: Caller): Promise<StoredGiver> {
  const by = { user_id: user.id, token_id };
  const token = token_id === null ? undefined : (await deps.records.get("token", token_id))?.record;
  if (token_id !== null)
    return { ...by, users: [], permissions: narrow(permissions, token && (await permissionsOfToken(deps, token))) };
  if (!(await deps.records.get("user", user.id)))
    return { ...by, users: [], permissions: narrow(permissions, allPermissions) };
  return { ...by, users: [user.id], permissions: narrow(permissions, await permissionsOfUser(deps, user.id)) };
}

function narrow(permissions: ReadonlySet<string>, bound: ReadonlySet<string> = none): readonly string[] {
  return isWithin(bound, permissions) ? [everyPermission] : [...permissions];
}

/** True when all names of the first set are in the second. */
export function isWithin(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return names === others || (names.size <= others.size && [...names].every((name) => others.has(name)));
}

/** Returns the names that both sets have. */
export function meet(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (isWithin(one, other)) return one;
  return new Set([...one].filter((name) => other.has(name)));
}

/**
 * Throws `permission_denied` where a giver's own rights hang on the token that it gives to, and `conflict` where too many tokens were given
 * one with the other.
 */
export async function checkChain({ records }: GrantDeps, giver: StoredGiver, target?: string): Promise<void> {
  let id = giver.token_id;
  for (let length = 0; id !== null; length++) {
    if (id === target)
      throw new GatewayError(
        "permission_denied",
        "A token cannot add permissions to itself, or to one that it was made with, nor extend it.",
        { param: "permissions" },
      );
    if (length === longestChain)
      throw new GatewayError(
        "conflict",
        `The token was made with a token that was made with another one, ${longestChain} times over. Use one of the first.`,
      );
    id = (await records.get("token", id))?.record.giver?.token_id ?? null;
  }
}

/**
 * Hands what a token gave over to the token's own giver, before the token is removed: a token that was made with it stays, with no more
 * than it had through it.
 */
export async function passOn({ records }: Pick<GrantDeps, "records">, gone: StoredToken): Promise<void> {
  for (const { id, giver } of await readAll(records, "token")) {
    if (giver?.token_id !== gone.id) continue;
    await retryOnConflict(async () => {
      const stored = await records.get("token", id);
      if (stored?.record.giver?.token_id !== gone.id) return undefined;
      const token = { ...stored.record, giver: heirOf(stored.record.giver, gone) };
      return (await records.put("token", token, stored.version)).kind === "moved" ? versionConflict : undefined;
    });
  }
}

function heirOf(giver: StoredGiver, { user_id, permissions, giver: above }: StoredToken): StoredGiver {
  return {
    user_id: giver.user_id,
    token_id: above?.token_id ?? null,
    users: [...new Set([...giver.users, user_id, ...(above?.users ?? [])])],
    permissions: meetNames(meetNames(giver.permissions, permissions), above?.permissions),
  };
}

/** Names that both lists allow; `*` allows all. */
function meetNames(names: readonly string[], others: readonly string[] = [everyPermission]): readonly string[] {
  if (others.includes(everyPermission)) return names;
  if (names.includes(everyPermission)) return others;
  return names.filter((name) => others.includes(name));
}

/**
 * Gives a giver to the tokens of an older version, which did not record one: from then on none of them grows beyond what its owner has at
 * that time. An owner who has every permission keeps those that a later version adds.
 */
export async function adoptTokens(deps: GrantDeps): Promise<void> {
  for (const { id, giver, user_id } of await readAll(deps.records, "token")) {
    if (giver) continue;
    const permissions = narrow(await permissionsOfUser(deps, user_id), allPermissions);
    const stored = await deps.records.get("token", id);
    if (!stored || stored.record.giver) continue;
    const adopted = { ...stored.record, giver: { user_id, token_id: null, users: [], permissions } };
    await deps.records.put("token", adopted, stored.version); // moved: another process has done it, or a change gave it one
  }
}
