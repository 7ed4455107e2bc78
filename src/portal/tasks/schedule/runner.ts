import { GatewayError } from "../../../engine/errors.ts";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { StoredGiver } from "../../../operations/records/users.ts";
import type { Caller } from "../../call/call.ts";
import { operator } from "../../call/operator.ts";
import { type GrantDeps, permissionsOfGiver } from "../../identity/giver.ts";
import { scopeOfUser } from "../../identity/user-scope.ts";

/**
 * Returns who set a schedule as the caller of its runs: in the user's present scope, with what the user, and the token that set it, may do
 * now. Throws `permission_denied` for a user or a token that is gone or has ended.
 */
export async function runnerOf(
  deps: GrantDeps & { readonly clock: Pick<Clock, "now"> },
  giver: StoredGiver,
): Promise<Caller> {
  const { user_id, token_id } = giver;
  const permissions = await permissionsOfGiver(deps, giver);
  if (user_id === operator.user.id) return { ...operator, permissions };
  const user = (await deps.records.get("user", user_id))?.record;
  if (!user?.enabled) throw refused("user");
  const token = token_id === null ? undefined : (await deps.records.get("token", token_id))?.record;
  if (token_id !== null && !token) throw refused("token");
  if (token?.ends_at && Date.parse(token.ends_at) <= deps.clock.now()) throw refused("token");
  return { user: { id: user_id, username: user.username }, scope: scopeOfUser(user), permissions, token_id };
}

function refused(what: string): GatewayError {
  return new GatewayError("permission_denied", `The ${what} that set the schedule can no longer run it.`, {
    param: "task_id",
  });
}
