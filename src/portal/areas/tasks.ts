import type { StoredTask, StoredTaskStep } from "../../api/portal/tasks.ts";
import { GatewayError } from "../../errors.ts";
import { findOperation } from "../../operations/portal/find.ts";
import type { Task, TaskStep } from "../../operations/portal/tasks.ts";
import type { AreaTools } from "../area.ts";
import { type PortalCall, placeAt } from "../call.ts";
import type { AreaBackend } from "../regions.ts";
import { covers } from "../scope.ts";
import { add, change, read, readAll } from "../shelf.ts";
import { type Ran, runTask, tellEnd } from "../tasks/run.ts";
import { shownResponse, withoutSecrets } from "../tasks/secrets.ts";
import { end, isAbandoned, nextStep, setStep } from "../tasks/state.ts";

/** Tasks: lists of portal calls, made once and run once (portal-resolved.md, section 5). */
export function tasksArea(tools: AreaTools): AreaBackend<"tasks"> {
  /** The tasks, those that their process left behind failed. */
  const settled = async (task: StoredTask, { records, now }: PortalCall): Promise<StoredTask> => {
    if (!isAbandoned(task, now)) return task;
    const by = (present: StoredTask) => (isAbandoned(present, now) ? end(present, "failed", now) : present);
    const failed = await change(records, "task", { id: task.id, by });
    await tellEnd(tools, failed);
    return failed;
  };
  return {
    async list({ unread }, call) {
      const found = await readAll(call.records, "task");
      const all = await Promise.all(found.map((task) => settled(task, call)));
      return all.filter(({ read_at }) => unread !== true || read_at === null).map(showTask);
    },
    async create({ name }, { records, caller, now }) {
      const id = tools.newId("tsk");
      await add(records, "task", {
        ...{ id, name, owner: caller.user.id, created_at: new Date(now).toISOString(), ...placeAt(caller.place) },
        ...{ state: "draft", start_at: null, ended_at: null, read_at: null, lease_until: null, steps: [] },
      });
      return { id };
    },
    async markRead({ task_id }, { records, now }) {
      const read_at = new Date(now).toISOString();
      const by = (present: StoredTask) => ({ ...present, read_at: present.read_at ?? read_at });
      await change(records, "task", { id: task_id, by });
    },
    async run({ task_id }, call) {
      await settled(await read(call.records, "task", task_id), call);
      return showRun(tools, call, await runTask(tools, task_id, call));
    },
    async steps({ task_id }, call) {
      const task = await settled(await read(call.records, "task", task_id), call);
      return task.steps.map((step) => showStep(tools, call, { task, step }));
    },
    async setStep({ task_id, step_id, description, method, params, step_path }, { records }) {
      refuseRunning(method, step_path);
      const sealed_params = tools.secrets.seal(JSON.stringify(readParams(params)));
      const step = { description, method, path: step_path, sealed_params };
      let id = step_id;
      const by = (present: StoredTask) => {
        id = step_id ?? nextStep(present);
        return setStep(present, step, step_id);
      };
      await change(records, "task", { id: task_id, by });
      return { id: id as number, task_id };
    },
  };
}

/** A step is an operation of the portal, and none that runs tasks. */
function refuseRunning(method: string, path: string): void {
  const found = findOperation(method, path);
  if (found.kind !== "found") {
    const other = found.kind === "other_methods" ? `; it takes ${found.methods.join(", ")}` : "";
    throw new GatewayError("invalid_request", `\`step_path\`: there is no operation ${method} ${path}${other}.`, {
      param: "step_path",
    });
  }
  if (found.row.row.operation.access !== "task_run-post") return;
  throw new GatewayError("conflict", "`step_path`: a step cannot run tasks.", { param: "step_path" });
}

function readParams(params: string | Readonly<Record<string, unknown>>): object {
  if (typeof params !== "string") return params;
  try {
    const parsed: unknown = params.trim() === "" ? {} : JSON.parse(params);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // what is not JSON is told below
  }
  throw new GatewayError("invalid_request", "`params`: must be an object, or the JSON of one.", { param: "params" });
}

function showTask({ id, name, owner, state, start_at, ended_at, read_at }: StoredTask): Task {
  return { id, name, user_id: owner, state, start_at, ended_at, read_at };
}

/** A task that has just run: this once with all that its steps were answered. */
function showRun(tools: AreaTools, call: PortalCall, { task, answers }: Ran): Record<string, unknown> {
  const steps = task.steps.map((step) => {
    const response = answers.get(step.id);
    return { ...showStep(tools, call, { task, step }), ...(response === undefined ? {} : { response }) };
  });
  return { ...showTask(task), steps };
}

interface Shown {
  readonly task: StoredTask;
  readonly step: StoredTaskStep;
}

/**
 * A step; its answer was given to whoever ran it, and is shown to who stands there or above, since whose task it is may stand below, and
 * may ask for it.
 */
function showStep({ secrets }: Pick<AreaTools, "secrets">, { caller }: PortalCall, { task, step }: Shown): TaskStep {
  const { id, description, method, path, start_at, ended_at, sealed_params, sealed_response } = step;
  const isTheirs = task.runner !== undefined && !covers(caller.place, task.runner);
  const kept = sealed_response === null || isTheirs ? undefined : secrets.tryOpen(sealed_response);
  const response = kept === undefined ? undefined : shownResponse(caller.permissions, step, kept);
  const sent = secrets.tryOpen(sealed_params);
  return {
    ...{ id, description, method, path, start_at, ended_at, task_id: task.id },
    ...(sent === undefined ? {} : { params: withoutSecrets(step, sent) }),
    ...(response === undefined ? {} : { response }),
  };
}
