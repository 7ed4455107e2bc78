import type { StoredTask, StoredTaskStep } from "../../api/portal/tasks.ts";
import { toGatewayError } from "../../errors.ts";
import type { AreaTools } from "../area.ts";
import { type PortalCall, placeAt } from "../call.ts";
import { change } from "../shelf.ts";
import { withoutOnce } from "./secrets.ts";
import { begin, beginStep, end, endStep } from "./state.ts";

type Tools = Pick<AreaTools, "call" | "clock" | "notify" | "secrets">;

/** A task that has run, and what its steps were answered by their ids, with what is shown this once. */
export interface Ran {
  readonly task: StoredTask;
  readonly answers: ReadonlyMap<number, string>;
}

/**
 * Runs a draft to its end: each step is one call of the portal, made with the caller's own permissions and region; the first that fails
 * ends it. Throws `conflict` for what is no draft.
 */
export async function runTask(tools: Tools, id: string, call: PortalCall): Promise<Ran> {
  const { records } = call;
  const answers = new Map<number, string>();
  const now = () => tools.clock.now();
  let task = await change(records, "task", { id, by: (present) => begin(present, now(), placeAt(call.caller.place)) });
  if (task.steps.length === 0)
    task = await change(records, "task", { id, by: (present) => end(present, "done", now()) });
  for (const step of task.steps) {
    await change(records, "task", { id, by: (present) => beginStep(present, step.id, now()) });
    const { isFailed, answer } = await callStep(tools, step, call);
    answers.set(step.id, JSON.stringify(answer));
    const response = tools.secrets.seal(JSON.stringify(withoutOnce(step, answer)));
    const outcome = { now: now(), response, isFailed };
    task = await change(records, "task", { id, by: (present) => endStep(present, step.id, outcome) });
    if (isFailed) break;
  }
  await tellEnd(tools, task);
  return { task, answers };
}

/** The answer of a step, or the error that it was refused with. */
async function callStep({ call, secrets }: Tools, step: StoredTaskStep, { caller, region }: PortalCall) {
  const { method, path, sealed_params } = step;
  try {
    const input = JSON.parse(secrets.open(sealed_params)) as Readonly<Record<string, unknown>>;
    const answer = await call({ method, path, input, caller, region });
    return { isFailed: false, answer: answer ?? {} };
  } catch (thrown) {
    const { status, code, message, param } = toGatewayError(thrown);
    return { isFailed: true, answer: { error: { status, type: code, message, ...(param ? { param } : {}) } } };
  }
}

/** Tells of the end of a task, once. */
export async function tellEnd({ notify }: Pick<Tools, "notify">, task: StoredTask): Promise<void> {
  const how = task.state === "done" ? "is done" : "failed";
  await notify({ type: "task_ended", subject: task.id, text: `The task "${task.name}" ${how}.`, place: task });
}
