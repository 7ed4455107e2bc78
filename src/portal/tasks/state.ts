import type { StoredTask, StoredTaskStep } from "../../api/portal/tasks.ts";
import { GatewayError } from "../../errors.ts";

/** How long a step may take before its process is taken for dead, in milliseconds; each step begins anew. */
export const leaseMs = 15 * 60_000;

const instant = (now: number) => new Date(now).toISOString();

/** Draft → running, with the place of whoever runs it. Throws `conflict` in any other state. */
export function begin(task: StoredTask, now: number, runner: NonNullable<StoredTask["runner"]>): StoredTask {
  if (task.state !== "draft") throw refused(task, "run");
  return { ...task, state: "running", start_at: instant(now), lease_until: now + leaseMs, runner };
}

/** A step begins; the lease with it. */
export function beginStep(task: StoredTask, id: number, now: number): StoredTask {
  if (task.state !== "running") throw refused(task, "go on");
  const steps = replace(task.steps, id, { start_at: instant(now) });
  return { ...task, steps, lease_until: now + leaseMs };
}

/** A step ended with an answer, or with the error that fails the task. */
export function endStep(
  task: StoredTask,
  id: number,
  { now, response, isFailed }: { readonly now: number; readonly response: string; readonly isFailed: boolean },
): StoredTask {
  if (task.state !== "running") throw refused(task, "go on");
  const steps = replace(task.steps, id, { ended_at: instant(now), sealed_response: response });
  const isLast = steps.every((step) => step.ended_at !== null);
  const next = { ...task, steps, lease_until: now + leaseMs };
  return isFailed || isLast ? end(next, isFailed ? "failed" : "done", now) : next;
}

/** Running → done or failed. */
export function end(task: StoredTask, state: "done" | "failed", now: number): StoredTask {
  if (task.state !== "running") throw refused(task, "end");
  return { ...task, state, ended_at: instant(now), lease_until: null };
}

/** True for a task whose process died while it ran. */
export function isAbandoned({ state, lease_until }: StoredTask, now: number): boolean {
  return state === "running" && lease_until !== null && lease_until < now;
}

/** Adds a step, or replaces the one with this id; only a draft takes any. Throws `conflict`, `not_found`. */
export function setStep(
  task: StoredTask,
  step: Pick<StoredTaskStep, "description" | "method" | "path" | "sealed_params">,
  id?: number,
): StoredTask {
  if (task.state !== "draft") throw refused(task, "take steps");
  const fresh = { ...step, sealed_response: null, start_at: null, ended_at: null };
  if (id === undefined) return { ...task, steps: [...task.steps, { ...fresh, id: nextStep(task) }] };
  if (!task.steps.some((present) => present.id === id)) {
    const known = task.steps.map((present) => present.id).join(", ") || "none yet";
    throw new GatewayError("not_found", `\`step_id\`: the task has no step ${id}; it has ${known}.`, {
      param: "step_id",
    });
  }
  return { ...task, steps: replace(task.steps, id, fresh) };
}

/** The id of the step that would be added now. */
export function nextStep({ steps }: StoredTask): number {
  return Math.max(0, ...steps.map(({ id }) => id)) + 1;
}

function replace(steps: readonly StoredTaskStep[], id: number, by: Partial<StoredTaskStep>): StoredTaskStep[] {
  return steps.map((step) => (step.id === id ? { ...step, ...by } : step));
}

function refused({ id, state }: StoredTask, what: string): GatewayError {
  return new GatewayError("conflict", `The task \`${id}\` is ${state}: it cannot ${what} any more.`);
}
