import type { StoredRole, StoredUser } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { Role } from "../../operations/portal/users.ts";
import type { AreaTools } from "../area.ts";
import { type PortalCall, placeAt } from "../call.ts";
import { checkNames, refuseEscalation } from "../escalation.ts";
import type { AreaBackend } from "../regions.ts";
import { covers, type Placed } from "../scope.ts";
import { add, change, drop, notFound, read, readAll, stillHas } from "../shelf.ts";
import { toPlace } from "../user.ts";

/** Roles: a caller uses those of its place, below it and above it, and changes those of its place and below. */
export function rolesArea(tools: AreaTools) {
  return {
    async roles(_input, call) {
      return [...(await call.listAbove("role")), ...(await readAll(call.records, "role"))].map(showRole);
    },
    createRole: (input, call) => createRole(tools, input, call),
    changeRole: (input, call) => changeRole(input, call),
    async deleteRole({ role_id }, call) {
      await read(call.records, "role", role_id);
      const holders = (await readAll(call.records, "user")).filter(({ roles }) => roles.includes(role_id));
      if (holders.length > 0) throw stillHas("role", role_id, { count: holders.length, by: "user" });
      await drop(call.records, "role", role_id);
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
  { newId }: AreaTools,
  { name, description, permissions }: Draft,
  call: PortalCall,
): Promise<Role> {
  checkGift(call, permissions);
  const { reseller, client_id, user_id } = placeAt(call.caller.place);
  if (user_id !== null)
    throw new GatewayError("permission_denied", "Roles belong to a client or a level above it, not to a user.");
  const created_at = new Date(call.now).toISOString();
  const role: StoredRole = { id: newId("rol"), created_at, reseller, client_id, name, description, permissions };
  await add(call.records, "role", role);
  return showRole(role);
}

async function changeRole({ role_id, name, description, permissions }: Patch, call: PortalCall): Promise<Role> {
  await read(call.records, "role", role_id);
  if (permissions) checkGift(call, permissions);
  const by = (role: StoredRole) => ({
    ...role,
    name: name ?? role.name,
    description: description ?? role.description,
    permissions: permissions ?? role.permissions,
  });
  return showRole(await change(call.records, "role", { id: role_id, by }));
}

type Draft = InputOf<Areas["users"]["createRole"]>;
type Patch = InputOf<Areas["users"]["changeRole"]>;

/**
 * Checks that a caller may give roles to a user: each is of the user's place or above, and grants nothing that the caller does not have.
 * Throws `not_found`, `invalid_request` or `permission_denied`.
 */
export async function checkRoles(call: PortalCall, user: Placed, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const above = await call.listAbove("role");
  for (const id of roles) {
    const role = above.find((one) => one.id === id) ?? (await read(call.records, "role", id));
    if (!covers(toPlace(role), user)) {
      const message = `The role \`${id}\` belongs to another tenant than the user.`;
      throw new GatewayError("invalid_request", message, { param: "role_id" });
    }
    refuseEscalation(role.permissions, call.caller.permissions, "the caller");
  }
}

function checkGift({ caller }: PortalCall, permissions: readonly string[]): void {
  checkNames(permissions);
  refuseEscalation(permissions, caller.permissions, "the caller");
}

function showRole({ permissions, description, ...role }: StoredRole): Role {
  return { ...role, ...(description === undefined ? {} : { description }), permissions: [...permissions] };
}
