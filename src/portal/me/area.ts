import type { InputOf } from "../../operations/calls.ts";
import type { Me } from "../../operations/portal/console/me.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read } from "../tenancy/record-access.ts";
import { showUser } from "../users/create-user.ts";
import { tokensArea } from "../users/tokens.ts";
import { changeOwnPassword } from "./password.ts";
import { ownSessions } from "./sessions.ts";
import { ownSettings } from "./settings.ts";
import { ownTotp } from "./totp.ts";

/** The caller's own account: what a user may change without the permissions of an administrator. */
export function meArea(deps: PortalDeps): AreaBackend<"me"> {
  const { tokens, createToken, revokeToken } = tokensArea(deps);
  const own = ({ caller }: PortalCall) => ({ user_id: caller.user.id });
  return {
    ...ownSessions,
    ...ownSettings,
    ...ownTotp(deps),
    get: async (_input, call) => showMe(await read(call.records, "user", call.caller.user.id), call),
    change: (input, call) => changeMe(input, call),
    setPassword: (input, call) => changeOwnPassword(deps, input, call),
    tokens: (_input, call) => tokens(own(call), call),
    createToken: (input, call) => createToken({ ...input, ...own(call) }, call),
    revokeToken: (input, call) => revokeToken({ ...input, ...own(call) }, call),
  };
}

async function showMe(user: StoredUser, { allRecords }: PortalCall): Promise<Me> {
  const has_password = (await allRecords.get("password", user.id)) !== undefined;
  const totp = (await allRecords.get("totp", user.id))?.record;
  return { ...showUser(user), has_password, has_totp: typeof totp?.confirmed_at === "string" };
}

type OwnChange = InputOf<Areas["me"]["change"]>;

/** A field that is null is removed. */
async function changeMe(wanted: OwnChange, call: PortalCall): Promise<Me> {
  const fields = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, value ?? undefined]));
  const by = (present: StoredUser): StoredUser => ({ ...present, ...fields });
  return showMe(await change(call.records, "user", { id: call.caller.user.id, by }), call);
}
