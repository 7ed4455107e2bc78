import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import { findOperation } from "../../operations/portal/find.ts";
import type { StoredTask } from "../../operations/records/tasks.ts";
import type { Caller } from "../call/call.ts";
import { operator } from "../call/operator.ts";
import { readAll } from "../tenancy/record-access.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";

/** A draft is changed by its owner, and by those above it (portal-resolved.md, section 5). */
export function refuseOthers(task: StoredTask, { user, scope }: Caller): void {
  if (task.owner === user.id || user.id === operator.user.id || depthOf(scope) < depthOf(task)) return;
  const message = `The task \`${task.id}\` belongs to another user. Only its owner and those above it change it; make a task of your own.`;
  throw new GatewayError("permission_denied", message, { param: "task_id" });
}

/** The most tasks of a user. */
const mostTasks = 1_000;

/** Throws `quota_exceeded` for a user who has too many tasks. */
export async function refuseTooMany(records: Records, { user }: Caller): Promise<void> {
  const own = (await readAll(records, "task")).filter(({ owner }) => owner === user.id);
  if (own.length < mostTasks) return;
  const message = `You have ${mostTasks} tasks. Ended tasks and drafts that never ran are removed after a while; reuse one of them until then.`;
  throw new GatewayError("quota_exceeded", message, { param: "tasks" });
}

/** Throws unless the step is an operation of the portal that does not run tasks. */
export function refuseRunning(method: string, path: string): void {
  const found = findOperation(method, path);
  if (found.kind !== "found") {
    const other = found.kind === "other_methods" ? `. The path takes ${found.methods.join(", ")}` : "";
    throw new GatewayError("invalid_request", `\`step_path\`: unknown operation ${method} ${path}${other}.`, {
      param: "step_path",
    });
  }
  const { access } = found.row.row.operation;
  if (access !== "task_run-post" && access !== "task_schedule-put") return;
  throw new GatewayError("conflict", "`step_path`: a step cannot run tasks.", { param: "step_path" });
}
