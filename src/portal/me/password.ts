import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import { permissionsOfUser } from "../identity/giver.ts";
import { dropLinks } from "../passwords/links.ts";
import { checkPassword } from "../passwords/strength.ts";
import { read } from "../tenancy/record-access.ts";
import { endOthers } from "./sessions.ts";

/**
 * Sets the caller's own password and ends its other sessions. Whoever knows the old one may do so. Where there is none yet, the caller must
 * have all permissions of its user, because a password gives them all. Throws `invalid_request`, `permission_denied` or `request_limited`.
 */
export async function changeOwnPassword(
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
