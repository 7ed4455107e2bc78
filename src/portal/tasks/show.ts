import type { PortalTask, TaskStep } from "../../operations/portal/tenancy/tasks.ts";
import type { StoredTask, StoredTaskStep } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { contains } from "../tenancy/tenant-scope.ts";
import type { Ran } from "./run.ts";
import { shownResponse, stepPlace, withoutSecrets } from "./secrets.ts";

/** Returns a task, with when it runs next by itself. */
export function showTask(task: StoredTask, nextAt: number | null = null): PortalTask {
  const { id, name, owner, state, start_at, ended_at, read_at, steps } = task;
  return {
    ...{ id, name, user_id: owner, state, start_at, ended_at, read_at },
    ...{ steps_done: steps.filter((step) => step.ended_at !== null).length, steps_total: steps.length },
    next_run_at: nextAt === null ? null : new Date(nextAt).toISOString(),
  };
}

/** Returns a task that has just run, with the full answers of its steps, which are shown only this once. */
export function showRun(deps: PortalDeps, call: PortalCall, { task, answers }: Ran): Record<string, unknown> {
  const steps = task.steps.map((step) => {
    const response = answers.get(step.id);
    return { ...showStep(deps, call, { task, step }), ...(response === undefined ? {} : { response }) };
  });
  return { ...showTask(task), steps };
}

interface VisibleStep {
  readonly task: StoredTask;
  readonly step: StoredTaskStep;
}

/**
 * Returns a step. Its answer belongs to the scope of the task's runner, and is shown only to callers who contain that scope: the task's
 * owner may be at a lower level.
 */
export function showStep(
  { secrets }: Pick<PortalDeps, "secrets">,
  { caller }: PortalCall,
  { task, step }: VisibleStep,
): TaskStep {
  const { id, description, method, path, start_at, ended_at, sealed_params, sealed_response } = step;
  const isTheirs = task.runner !== undefined && !contains(caller.scope, task.runner);
  const opened =
    sealed_response === null || isTheirs
      ? undefined
      : secrets.tryOpen(sealed_response, stepPlace(task.id, id, "response"));
  const response = opened === undefined ? undefined : shownResponse(caller.permissions, step, opened);
  const sent = secrets.tryOpen(sealed_params, stepPlace(task.id, id, "params"));
  return {
    ...{ id, description, method, path, start_at, ended_at, task_id: task.id },
    ...(sent === undefined ? {} : { params: withoutSecrets(step, sent) }),
    ...(response === undefined ? {} : { response }),
  };
}
