import { toGatewayError } from "../../engine/errors.ts";
import type { StoredTask, StoredTaskStep } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { stepPlace } from "../call/sealed-places.ts";
import { change } from "../tenancy/record-access.ts";
import { callerOfStep } from "./caller.ts";
import { withoutOnce } from "./secrets.ts";
import { begin, beginStep, end, endStep } from "./state.ts";

type TaskDeps = Pick<PortalDeps, "call" | "clock" | "notify" | "secrets" | "records" | "permissionSources">;

/** A task that has run, and the answers of its steps by id, with what is shown only once. */
export interface Ran {
  readonly task: StoredTask;
  readonly answers: ReadonlyMap<number, string>;
}

/**
 * Runs a draft to its end. Each step is one call of the portal in the caller's region, with the caller's own permissions or, when somebody else
 * last changed the step, with what both may do; the first failure ends the task. Throws `conflict` for a task that is not a draft, or is
 * not at the version that the caller looked at.
 */
export async function runTask(deps: TaskDeps, id: string, call: PortalCall): Promise<Ran> {
  const { records } = call;
  const answers = new Map<number, string>();
  const now = () => deps.clock.now();
  let task = await change(records, "task", {
    id,
    by: (present) => begin(present, { now: now(), runner: scopeAt(call.caller.scope), version: call.version }),
  });
  if (task.steps.length === 0)
    task = await change(records, "task", { id, by: (present) => end(present, "done", now()) });
  for (const step of task.steps) {
    task = await change(records, "task", { id, by: (present) => beginStep(present, step.id, now()) });
    if (task.state !== "running") break;
    const { isFailed, answer } = await callStep(deps, { taskId: id, step }, call);
    answers.set(step.id, JSON.stringify(answer));
    const response = deps.secrets.seal(stored(withoutOnce(step, answer)), stepPlace(id, step.id, "response"));
    const outcome = { now: now(), response, isFailed };
    task = await change(records, "task", { id, by: (present) => endStep(present, step.id, outcome) });
    if (task.state !== "running") break;
  }
  await notifyEnd(deps, task);
  return { task, answers };
}

/** The most characters of an answer that a task keeps. */
const longestAnswer = 1_000_000;

function stored(answer: unknown): string {
  const text = JSON.stringify(answer);
  if (text.length <= longestAnswer) return text;
  return JSON.stringify({
    omitted: `The answer had ${text.length} characters, too many to be kept. The run answered it.`,
  });
}

interface TaskStepRun {
  readonly taskId: string;
  readonly step: StoredTaskStep;
}

/** The answer of a step, or its error. */
async function callStep(deps: TaskDeps, { taskId, step }: TaskStepRun, { caller: runner, region }: PortalCall) {
  const { call, secrets } = deps;
  const { method, path, sealed_params } = step;
  try {
    const caller = await callerOfStep(deps, step, runner);
    const place = stepPlace(taskId, step.id, "params");
    const input = JSON.parse(secrets.open(sealed_params, place)) as Readonly<Record<string, unknown>>;
    const answer = await call({ method, path, input, caller, region });
    return { isFailed: false, answer: answer ?? {} };
  } catch (thrown) {
    const { status, code, message, param } = toGatewayError(thrown);
    return { isFailed: true, answer: { error: { status, type: code, message, ...(param ? { param } : {}) } } };
  }
}

/** Notifies of the end of a task, once. */
export async function notifyEnd({ notify }: Pick<TaskDeps, "notify">, task: StoredTask): Promise<void> {
  const { id, name, state } = task;
  const ended = state === "done" || state === "stopped" ? state : "failed";
  const key = `notice.task_${ended}` as const;
  await notify({ type: "task_ended", subject: id, key, params: { name }, link: `/task/${id}/step`, scope: task });
}
