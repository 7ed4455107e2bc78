import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Me } from "../../operations/portal/console/me.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import { permissionsOfUser } from "../identity/giver.ts";
import { dropLinks } from "../passwords/links.ts";
import { checkPassword } from "../passwords/strength.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read, write } from "../tenancy/record-access.ts";
import { showUser } from "../users/create-user.ts";
import { tokensArea } from "../users/tokens.ts";
import { endOthers, ownSessions } from "./sessions.ts";
import { ownTotp } from "./totp.ts";

/** The most bytes of a user's settings as JSON. */
const mostBytes = 32_768;

/** What the console remembers for its users, one record for each. */
const ownSettings = {
  async settings(_input, { records, caller }) {
    const stored = await records.get("user_settings", caller.user.id);
    return { settings: stored ? { ...stored.record.settings } : {} };
  },
  async setSettings({ settings }, call: PortalCall) {
    const bytes = Buffer.byteLength(JSON.stringify(settings));
    if (bytes > mostBytes) {
      const message = `\`settings\`: has ${bytes} bytes of JSON, of ${mostBytes} at most.`;
      throw new GatewayError("invalid_request", message, { param: "settings" });
    }
    const { id, reseller, client_id } = await read(call.records, "user", call.caller.user.id);
    const own = { id, ...scopeAt({ reseller: reseller ?? undefined, client_id: client_id ?? undefined }), user_id: id };
    const created_at = new Date(call.now).toISOString();
    await write(call.records, "user_settings", {
      id,
      by: (present) => ({ ...own, created_at: present?.created_at ?? created_at, settings }),
    });
  },
} satisfies Partial<AreaBackend<"me">>;

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

/**
 * Sets the caller's own password and ends its other sessions. Whoever knows the old one may do so. Where there is none yet, the caller must
 * have all permissions of its user, because a password gives them all. Throws `invalid_request`, `permission_denied` or `request_limited`.
 */
async function changeOwnPassword(
  deps: PortalDeps,
  { old_password, password }: InputOf<Areas["me"]["setPassword"]>,
  call: PortalCall,
): Promise<undefined> {
  const { passwords, records } = deps;
  const user = await read(call.records, "user", call.caller.user.id);
  checkPassword(password, user);
  if (await records.get("password", user.id)) {
    if (old_password === undefined) throw refused("is required: the user has a password");
    if (!(await passwords.verify(user, old_password, call.now))) throw refused("is wrong");
  } else refuseEscalation(await permissionsOfUser(deps, user.id), call.caller.permissions, "the access token");
  await passwords.set(user, password, call);
  await dropLinks(call.records, user.id);
  await endOthers(call);
}

function refused(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`old_password\`: ${problem}.`, { param: "old_password" });
}
