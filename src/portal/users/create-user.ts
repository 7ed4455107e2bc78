import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { User } from "../../operations/portal/tenancy/users.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { hashUsername, positionOf } from "../identity/user-scope.ts";
import { add } from "../tenancy/record-access.ts";
import { checkTenant } from "../tenancy/tenant-state.ts";
import { checkRoles } from "./roles.ts";

type UserInput = InputOf<Areas["users"]["create"]>;

/** Creates a user at the caller's place or below. Throws `invalid_request`, `conflict`, `not_found` or `permission_denied`. */
export async function createUser(
  { newId }: Pick<PortalDeps, "newId">,
  draft: UserInput,
  call: PortalCall,
): Promise<User> {
  const { username, level, reseller, client_id, roles = [], ...person } = draft;
  const limit = positionOf({ level, reseller, client_id }, call.caller.scope);
  const id = newId("usr");
  await checkTenant(call, { ...limit, user_id: id });
  const created_at = new Date(call.now).toISOString();
  const own = { id, user_id: id, created_at, username, hash: hashUsername(username) };
  const user: StoredUser = { ...own, ...limit, enabled: true, roles, ...person };
  await checkRoles(call, user, roles);
  await add(call.records, "user", user);
  return showUser(user);
}

/** Returns a user as callers see it. */
export function showUser({ user_id: _own, hash: _hash, ...user }: StoredUser): User {
  return { ...user, roles: [...user.roles] };
}
