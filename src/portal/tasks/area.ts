import type { StoredTask, StoredTaskStep } from "../../api/portal/tasks.ts";
import { GatewayError } from "../../errors.ts";
import type { PortalTask, TaskStep } from "../../operations/portal/tenancy/tasks.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, read, readAll } from "../tenancy/record-access.ts";
import { contains } from "../tenancy/tenant-scope.ts";
import { refuseOthers, refuseRunning, refuseTooMany } from "./checks.ts";
import { notifyEnd, type Ran, runTask } from "./run.ts";
import { shownResponse, stepPlace, withoutSecrets } from "./secrets.ts";
import { end, isAbandoned, nextStep, setStep, versionOf } from "./state.ts";

/** Tasks: lists of portal calls that run once (portal-resolved.md, section 5). */
export function tasksArea(deps: PortalDeps): AreaBackend<"tasks"> {
  /** Returns the tasks. Marks those of dead processes as failed. */
  const settled = async (task: StoredTask, { records, now }: PortalCall): Promise<StoredTask> => {
    if (!isAbandoned(task, now)) return task;
    const by = (present: StoredTask) => (isAbandoned(present, now) ? end(present, "failed", now) : present);
    const failed = await change(records, "task", { id: task.id, by });
    await notifyEnd(deps, failed);
    return failed;
  };
  return {
    async list({ unread }, call) {
      const found = await readAll(call.records, "task");
      const all = await Promise.all(found.map((task) => settled(task, call)));
      return all.filter(({ read_at }) => unread !== true || read_at === null).map(showTask);
    },
    create: ({ name }, call) => createTask(deps.newId("tsk"), name, call),
    async markRead({ task_id }, { records, now }) {
      const read_at = new Date(now).toISOString();
      const by = (present: StoredTask) => ({ ...present, read_at: present.read_at ?? read_at });
      await change(records, "task", { id: task_id, by });
    },
    async run({ task_id }, call) {
      await settled(await read(call.records, "task", task_id), call);
      return showRun(deps, call, await runTask(deps, task_id, call));
    },
    async steps({ task_id }, call) {
      const task = await settled(await read(call.records, "task", task_id), call);
      call.showVersion?.(versionOf(task));
      return task.steps.map((step) => showStep(deps, call, { task, step }));
    },
    async setStep({ task_id, step_id, description, method, params, step_path }, { records, caller }) {
      refuseRunning(method, step_path);
      const sent = JSON.stringify(readParams(params));
      const set_by = { user_id: caller.user.id, token_id: caller.token_id };
      let id = step_id;
      const by = (present: StoredTask) => {
        refuseOthers(present, caller);
        id = step_id ?? nextStep(present);
        const sealed_params = deps.secrets.seal(sent, stepPlace(task_id, id, "params"));
        return setStep(present, { description, method, path: step_path, sealed_params, set_by }, step_id);
      };
      await change(records, "task", { id: task_id, by });
      return { id: id as number, task_id };
    },
  };
}

async function createTask(id: string, name: string, { records, caller, now }: PortalCall): Promise<{ id: string }> {
  await refuseTooMany(records, caller);
  await add(records, "task", {
    ...{ id, name, owner: caller.user.id, created_at: new Date(now).toISOString(), ...scopeAt(caller.scope) },
    ...{ state: "draft", start_at: null, ended_at: null, read_at: null, lease_until: null, steps: [] },
  });
  return { id };
}

function readParams(params: string | Readonly<Record<string, unknown>>): object {
  if (typeof params !== "string") return params;
  try {
    const parsed: unknown = params.trim() === "" ? {} : JSON.parse(params);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // reported below
  }
  throw new GatewayError("invalid_request", "`params`: must be an object, or a string with the JSON of one.", {
    param: "params",
  });
}

function showTask({ id, name, owner, state, start_at, ended_at, read_at }: StoredTask): PortalTask {
  return { id, name, user_id: owner, state, start_at, ended_at, read_at };
}

/** Returns a task that has just run, with the full answers of its steps, which are shown only this once. */
function showRun(deps: PortalDeps, call: PortalCall, { task, answers }: Ran): Record<string, unknown> {
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
function showStep(
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
