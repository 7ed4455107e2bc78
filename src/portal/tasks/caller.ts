import { GatewayError } from "../../engine/errors.ts";
import type { StoredTaskStep } from "../../operations/records/tasks.ts";
import type { Caller } from "../call/call.ts";
import { operator } from "../call/operator.ts";
import { type GrantDeps, meet, permissionsOfToken, permissionsOfUser } from "../identity/giver.ts";
import { scopeOfUser } from "../identity/user-scope.ts";
import { contains, type TenantScope } from "../tenancy/tenant-scope.ts";

/**
 * Returns who calls the operation of a step: the runner of the task for a step of its own. A step that somebody else last changed is a call
 * of that user, in the scope and with the permissions that both have now, so that no user can have another do what it may not do itself.
 */
export async function callerOfStep(
  deps: GrantDeps,
  { id, set_by }: Pick<StoredTaskStep, "id" | "set_by">,
  runner: Caller,
): Promise<Caller> {
  if (set_by?.user_id === runner.user.id || set_by?.user_id === operator.user.id) return runner;
  const author = set_by && (await deps.records.get("user", set_by.user_id))?.record;
  const scope = author && narrower(runner.scope, scopeOfUser(author));
  if (!scope) {
    const message = `The step ${id} was last changed by somebody who can no longer act for this task. Set the step again.`;
    throw new GatewayError("permission_denied", message, { param: "task_id" });
  }
  const { id: user_id, username } = author;
  const permissions = meet(runner.permissions, await permissionsOfAuthor(deps, set_by));
  return { user: { id: user_id, username }, scope, permissions, token_id: set_by.token_id };
}

async function permissionsOfAuthor(
  deps: GrantDeps,
  { user_id, token_id }: NonNullable<StoredTaskStep["set_by"]>,
): Promise<ReadonlySet<string>> {
  if (token_id === null) return permissionsOfUser(deps, user_id);
  const token = (await deps.records.get("token", token_id))?.record;
  return token ? permissionsOfToken(deps, token) : new Set();
}

/** Returns the scope that both scopes have; undefined for none. */
function narrower(one: TenantScope, other: TenantScope): TenantScope | undefined {
  if (contains(one, other)) return other;
  return contains(other, one) ? one : undefined;
}
