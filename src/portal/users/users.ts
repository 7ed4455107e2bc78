import { GatewayError } from "../../engine/errors.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { readListed } from "../call/listed.ts";
import { hashUsername } from "../identity/user-scope.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read } from "../tenancy/record-access.ts";
import { createUser, showUser } from "./create-user.ts";
import { removeUser } from "./remove-user.ts";
import { rightsArea } from "./rights.ts";

/** Users, roles, tokens and the audit log: our extension (portal-resolved.md, section 2). */
export function usersArea(deps: PortalDeps): AreaBackend<"users"> {
  return {
    ...rightsArea(deps),
    list: async (_input, call) => (await readListed(call, "user")).map(showUser),
    get: async ({ user_id }, { records }) => showUser(await read(records, "user", user_id)),
    create: async (input, call) => createUser(deps, input, call),
    async change({ user_id, username, ...person }, { records }) {
      await read(records, "user", user_id);
      const name = username === undefined ? {} : { username, hash: hashUsername(username) };
      return showUser(await change(records, "user", { id: user_id, by: (user) => ({ ...user, ...person, ...name }) }));
    },
    disable: async ({ user_id }, call) => switchUser(call, user_id, false),
    enable: async ({ user_id }, call) => switchUser(call, user_id, true),
    async delete({ user_id }, call) {
      const user = await read(call.records, "user", user_id);
      refuseSelf(call, user_id);
      await removeUser(call.records, user);
    },
  };
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
