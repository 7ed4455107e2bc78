import type { StoredUser } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import { permissionCatalogue } from "../../operations/permissions.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { User } from "../../operations/portal/tenancy/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { hashUsername, positionOf } from "../identity/user-scope.ts";
import { holderOf } from "../profiles/assigned.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, notFound, read, readAll, remove } from "../tenancy/record-access.ts";
import { contains } from "../tenancy/tenant-scope.ts";
import { checkRoles, rolesArea } from "./roles.ts";
import { tokensArea } from "./tokens.ts";

/** Users, roles, tokens and the audit log: our extension (portal-resolved.md, section 2). */
export function usersArea(deps: PortalDeps): AreaBackend<"users"> {
  return {
    ...rolesArea(deps),
    ...tokensArea(deps),
    permissions: () => [...permissionCatalogue],
    list: async (_input, { records }) => (await readAll(records, "user")).map(showUser),
    get: async ({ user_id }, { records }) => showUser(await read(records, "user", user_id)),
    create: async (input, call) => createUser(deps, input, call),
    async change({ user_id, username, ...person }, { records }) {
      const name = username === undefined ? {} : { username, hash: hashUsername(username) };
      return showUser(await change(records, "user", { id: user_id, by: (user) => ({ ...user, ...person, ...name }) }));
    },
    disable: async ({ user_id }, call) => switchUser(call, user_id, false),
    enable: async ({ user_id }, call) => switchUser(call, user_id, true),
    async delete({ user_id }, call) {
      const user = await read(call.records, "user", user_id);
      refuseSelf(call, user_id);
      for (const { id } of await readAll(call.records, "token", { user_id })) await call.records.remove("token", id);
      for (const { id } of await readAll(call.records, "profile_assignment", { holder: holderOf(user) }))
        await call.records.remove("profile_assignment", id);
      await remove(call.records, "user", user_id);
    },
    async audit({ user_id, after, limit = 100 }, { records }) {
      const page = await records.list("audit", {
        where: user_id === undefined ? undefined : { user_id },
        after,
        limit,
      });
      return {
        entries: page.records.map(({ record }) => record),
        ...(page.next === undefined ? {} : { next: page.next }),
      };
    },
  };
}

type UserInput = InputOf<Areas["users"]["create"]>;

async function createUser({ newId }: PortalDeps, draft: UserInput, call: PortalCall): Promise<User> {
  const { username, level, reseller, client_id, roles = [], ...person } = draft;
  const limit = positionOf({ level, reseller, client_id }, call.caller.scope);
  const id = newId("usr");
  if (!contains(call.caller.scope, { ...limit, user_id: id })) throw notFound("tenant", client_id ?? reseller ?? "");
  const created_at = new Date(call.now).toISOString();
  const own = { id, user_id: id, created_at, username, hash: hashUsername(username) };
  const user: StoredUser = { ...own, ...limit, enabled: true, roles, ...person };
  await checkRoles(call, user, roles);
  await add(call.records, "user", user);
  return showUser(user);
}

function showUser({ user_id: _own, hash: _hash, ...user }: StoredUser): User {
  return { ...user, roles: [...user.roles] };
}

async function switchUser(call: PortalCall, id: string, enabled: boolean): Promise<undefined> {
  await read(call.records, "user", id);
  if (!enabled) refuseSelf(call, id);
  await change(call.records, "user", { id, by: (user) => ({ ...user, enabled }) });
}

/** A user who locks itself out might be the last who could undo it. */
function refuseSelf({ caller }: PortalCall, id: string): void {
  if (caller.user.id === id)
    throw new GatewayError(
      "conflict",
      "You cannot disable or delete the user of your own token. Another user must do it.",
    );
}
