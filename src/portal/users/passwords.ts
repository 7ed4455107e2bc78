import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import { permissionsOfUser } from "../identity/giver.ts";
import { mailLink } from "../passwords/link-mail.ts";
import { dropLinks, makeLink } from "../passwords/links.ts";
import { checkPassword } from "../passwords/strength.ts";
import { readTotp } from "../passwords/totp.ts";
import type { AreaBackend } from "../regions.ts";
import { read, readAll, remove } from "../tenancy/record-access.ts";

/** Hours for which links are good unless the caller says otherwise. */
const [inviteHours, resetHours] = [72, 1];

type PasswordInput = InputOf<Areas["users"]["setPassword"]>;

/** The passwords of users. */
export function passwordsArea(deps: PortalDeps) {
  return {
    setPassword: (input, call) => setPassword(deps, input, call),
    async invite({ user_id, hours = inviteHours }, call) {
      const user = await read(call.records, "user", user_id);
      if (await deps.records.get("password", user_id))
        throw new GatewayError("conflict", `The user \`${user.username}\` has a password: make a reset link instead.`);
      return mailLink(
        deps,
        { user, kind: "invite", ...(await makeLink(deps, { user, kind: "invite", hours }, call)) },
        call,
      );
    },
    async resetPassword({ user_id, hours = resetHours }, call) {
      const user = await read(call.records, "user", user_id);
      return mailLink(
        deps,
        { user, kind: "reset", ...(await makeLink(deps, { user, kind: "reset", hours }, call)) },
        call,
      );
    },
    async disableTotp({ user_id }, call) {
      await read(call.records, "user", user_id);
      refuseEscalation(await permissionsOfUser(deps, user_id), call.caller.permissions, "the caller");
      await readTotp(call.records, user_id);
      await remove(call.records, "totp", user_id);
    },
  } satisfies AreaBackend<"users">;
}

/**
 * Sets the password of a user and ends its sessions. Whoever knows a password can do all that the user can: a caller with fewer permissions
 * cannot set it. Throws `invalid_request`, `not_found` or `permission_denied`.
 */
async function setPassword(
  deps: PortalDeps,
  { user_id, password }: PasswordInput,
  call: PortalCall,
): Promise<undefined> {
  const user = await read(call.records, "user", user_id);
  refuseEscalation(await permissionsOfUser(deps, user_id), call.caller.permissions, "the caller");
  checkPassword(password, user);
  await deps.passwords.set(user, password, call);
  await dropLinks(call.records, user_id);
  await endSessions(call.records, user_id);
}

/** Ends all sessions of a user. */
export async function endSessions(records: Records, user_id: string): Promise<void> {
  for (const { id } of await readAll(records, "session", { user_id })) await records.remove("session", id);
}
