import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { Role } from "../../operations/portal/tenancy/users.ts";
import type { StoredRole, StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { checkNames, refuseEscalation } from "../identity/escalation.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, notFound, read, readAll, remove, stillHas } from "../tenancy/record-access.ts";
import { contains, type ScopedRecord, toScope } from "../tenancy/tenant-scope.ts";

/** Roles: a caller can use roles of its own level, above it and below it, and change those of its own level and below. */
export function rolesArea(deps: PortalDeps) {
  return {
    async roles(_input, call) {
      return [...(await call.listAbove("role")), ...(await readAll(call.records, "role"))].map(showRole);
    },
    createRole: (input, call) => createRole(deps, input, call),
    changeRole: (input, call) => changeRole(input, call),
    async deleteRole({ role_id }, call) {
      await read(call.records, "role", role_id);
      const holders = (await readAll(call.records, "user")).filter(({ roles }) => roles.includes(role_id));
      if (holders.length > 0) throw stillHas("role", role_id, { count: holders.length, by: "user" });
      await remove(call.records, "role", role_id);
    },
    async assignRole({ role_id, user_id }, call) {
      const user = await read(call.records, "user", user_id);
      await checkRoles(call, user, [role_id]);
      const by = (present: StoredUser) => ({ ...present, roles: [...new Set([...present.roles, role_id])] });
      await change(call.records, "user", { id: user_id, by });
    },
    async unassignRole({ role_id, user_id }, call) {
      const { roles } = await read(call.records, "user", user_id);
      if (!roles.includes(role_id)) throw notFound("role of the user", role_id);
      const by = (present: StoredUser) => ({ ...present, roles: present.roles.filter((id) => id !== role_id) });
      await change(call.records, "user", { id: user_id, by });
    },
  } satisfies AreaBackend<"users">;
}

async function createRole(
  { newId }: PortalDeps,
  { name, description, permissions }: RoleInput,
  call: PortalCall,
): Promise<Role> {
  checkGrantable(call, permissions);
  const { reseller, client_id, user_id } = scopeAt(call.caller.scope);
  if (user_id !== null)
    throw new GatewayError("permission_denied", "Roles belong to a client or a level above it, not to a user.");
  const created_at = new Date(call.now).toISOString();
  const role: StoredRole = { id: newId("rol"), created_at, reseller, client_id, name, description, permissions };
  await add(call.records, "role", role);
  return showRole(role);
}

async function changeRole({ role_id, name, description, permissions }: RolePatch, call: PortalCall): Promise<Role> {
  await read(call.records, "role", role_id);
  if (permissions) checkGrantable(call, permissions);
  const by = (role: StoredRole) => ({
    ...role,
    name: name ?? role.name,
    description: description ?? role.description,
    permissions: permissions ?? role.permissions,
  });
  return showRole(await change(call.records, "role", { id: role_id, by }));
}

type RoleInput = InputOf<Areas["users"]["createRole"]>;
type RolePatch = InputOf<Areas["users"]["changeRole"]>;

/**
 * Checks that a caller may assign roles to a user: each belongs to the user's level or above, and grants only what the caller has itself.
 * Throws `not_found`, `invalid_request` or `permission_denied`.
 */
export async function checkRoles(call: PortalCall, user: ScopedRecord, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const above = await call.listAbove("role");
  for (const id of roles) {
    const role = above.find((one) => one.id === id) ?? (await read(call.records, "role", id));
    if (!contains(toScope(role), user)) {
      const message = `The role \`${id}\` belongs to another tenant than the user.`;
      throw new GatewayError("invalid_request", message, { param: "role_id" });
    }
    refuseEscalation(role.permissions, call.caller.permissions, "the caller");
  }
}

function checkGrantable({ caller }: PortalCall, permissions: readonly string[]): void {
  checkNames(permissions);
  refuseEscalation(permissions, caller.permissions, "the caller");
}

function showRole({ permissions, description, ...role }: StoredRole): Role {
  return { ...role, ...(description === undefined ? {} : { description }), permissions: [...permissions] };
}
