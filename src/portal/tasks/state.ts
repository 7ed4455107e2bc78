import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { StoredTask, StoredTaskStep } from "../../operations/records/tasks.ts";

/** The lease of a running step in milliseconds, after which its process counts as dead. Each step renews it. */
export const leaseMs = 15 * 60_000;

const instant = (now: number) => new Date(now).toISOString();

/** The most steps of a task. */
const mostSteps = 100;

/**
 * Returns the version of a task's steps, which any change of one of them changes. It tells nothing of what they send: that is sealed, and
 * differently each time.
 */
export function versionOf({ steps }: Pick<StoredTask, "steps">): string {
  const looked = steps.map(({ id, description, method, path, sealed_params }) => [
    id,
    description,
    method,
    path,
    sealed_params,
  ]);
  return hash("sha256", JSON.stringify(looked), "hex").slice(0, 32);
}

/** Who runs a task, and which version of its steps it looked at; undefined for whichever there is. */
interface TaskRun {
  readonly now: number;
  readonly runner: NonNullable<StoredTask["runner"]>;
  readonly version: string | undefined;
}

/** Draft → running, with the scope of its runner. Throws `conflict` in any other state, and for another version than was looked at. */
export function begin(task: StoredTask, { now, runner, version }: TaskRun): StoredTask {
  if (task.state !== "draft") throw refused(task, "run");
  if (version !== undefined && version !== versionOf(task))
    throw new GatewayError(
      "conflict",
      `The task \`${task.id}\` was changed since you looked at it. Look at its steps again.`,
    );
  const unknown = task.steps.find(({ set_by }) => !set_by);
  if (unknown)
    throw new GatewayError(
      "conflict",
      `It is not known who changed the step ${unknown.id}, which an older version stored. Set the step again, or make a new task.`,
    );
  return { ...task, state: "running", start_at: instant(now), lease_until: now + leaseMs, runner };
}

/** Asks a running task to stop: no further step begins. Throws `conflict` in any other state. */
export function askToStop(task: StoredTask, by: string, now: number): StoredTask {
  if (task.state !== "running") throw refused(task, "be stopped");
  return { ...task, stop: task.stop ?? { by, at: instant(now) } };
}

/** Begins a step, and renews the lease; ends a task that was asked to stop. */
export function beginStep(task: StoredTask, id: number, now: number): StoredTask {
  if (task.state !== "running") throw refused(task, "go on");
  if (task.stop) return end(task, "stopped", now);
  const steps = replace(task.steps, id, { start_at: instant(now) });
  return { ...task, steps, lease_until: now + leaseMs };
}

/** Ends a step with an answer, or with the error that fails the task. */
export function endStep(
  task: StoredTask,
  id: number,
  { now, response, isFailed }: { readonly now: number; readonly response: string; readonly isFailed: boolean },
): StoredTask {
  if (task.state !== "running") throw refused(task, "go on");
  const steps = replace(task.steps, id, { ended_at: instant(now), sealed_response: response });
  const isLast = steps.every((step) => step.ended_at !== null);
  const next = { ...task, steps, lease_until: now + leaseMs };
  if (isFailed || isLast) return end(next, isFailed ? "failed" : "done", now);
  return task.stop ? end(next, "stopped", now) : next;
}

/** Running → done, failed or stopped. */
export function end(task: StoredTask, state: "done" | "failed" | "stopped", now: number): StoredTask {
  if (task.state !== "running") throw refused(task, "end");
  return { ...task, state, ended_at: instant(now), lease_until: null };
}

/** True for a task whose process died while it ran. */
export function isAbandoned({ state, lease_until }: StoredTask, now: number): boolean {
  return state === "running" && lease_until !== null && lease_until < now;
}

/** Adds a step, or replaces the one with this id, in a draft. Throws `conflict`, `not_found`. */
export function setStep(
  task: StoredTask,
  step: Pick<StoredTaskStep, "description" | "method" | "path" | "sealed_params" | "set_by">,
  id?: number,
): StoredTask {
  if (task.state !== "draft") throw refused(task, "take steps");
  const fresh = { ...step, sealed_response: null, start_at: null, ended_at: null };
  if (id === undefined && task.steps.length >= mostSteps)
    throw new GatewayError("conflict", `A task has ${mostSteps} steps at most. Make another task for the rest.`);
  if (id === undefined) return { ...task, steps: [...task.steps, { ...fresh, id: nextStep(task) }] };
  if (!task.steps.some((present) => present.id === id)) {
    const known = task.steps.map((present) => present.id).join(", ") || "none yet";
    throw new GatewayError("not_found", `\`step_id\`: the task has no step ${id}. Its steps: ${known}.`, {
      param: "step_id",
    });
  }
  return { ...task, steps: replace(task.steps, id, fresh) };
}

/** Returns the id of the next step. */
export function nextStep({ steps }: StoredTask): number {
  return Math.max(0, ...steps.map(({ id }) => id)) + 1;
}

function replace(steps: readonly StoredTaskStep[], id: number, by: Partial<StoredTaskStep>): StoredTaskStep[] {
  return steps.map((step) => (step.id === id ? { ...step, ...by } : step));
}

function refused({ id, state }: StoredTask, what: string): GatewayError {
  return new GatewayError("conflict", `The task \`${id}\` is ${state}: it can no longer ${what}.`);
}
