import type { StoredProjectPurge } from "../../operations/records/cloud.ts";
import type { StoredTask } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import { stepPlace } from "../call/sealed-places.ts";
import { notifyEnd } from "../tasks/run.ts";
import { end, endStep } from "../tasks/state.ts";
import { change } from "../tenancy/record-access.ts";
import { countByKind } from "./contents.ts";
import { purgeStep } from "./request-purge.ts";

type PurgeTaskDeps = Pick<PortalDeps, "records" | "secrets" | "clock" | "notify">;

/** True where somebody has asked the task of a purge to stop. */
export async function isStopped({ records }: PurgeTaskDeps, { task_id }: StoredProjectPurge): Promise<boolean> {
  return (await records.get("task", task_id))?.record.stop !== undefined;
}

/** Shows in the task what is left. */
export async function showProgress(deps: PurgeTaskDeps, purge: StoredProjectPurge): Promise<void> {
  const { region, left, left_count, message } = purge;
  const answer = { left_count, left: countByKind(left, region), ...(message === null ? {} : { message }) };
  const sealed_response = seal(deps, purge, answer);
  await changeRunning(deps, purge, (task) => ({
    ...task,
    steps: task.steps.map((step) => (step.id === purgeStep ? { ...step, sealed_response } : step)),
  }));
}

/** How a purge has ended. */
type PurgeEnd = { readonly state: "done" | "stopped" } | { readonly state: "failed"; readonly message: string };

/** Ends the task of a purge, once, and notifies of it. */
export async function endTask(deps: PurgeTaskDeps, purge: StoredProjectPurge, ended: PurgeEnd): Promise<void> {
  const now = deps.clock.now();
  const isFailed = ended.state === "failed";
  const answer = isFailed ? { error: { status: 409, type: "conflict", message: ended.message } } : {};
  const response = seal(deps, purge, answer);
  const task = await changeRunning(deps, purge, (present) =>
    ended.state === "stopped" ? end(present, "stopped", now) : endStep(present, purgeStep, { now, response, isFailed }),
  );
  if (task) await notifyEnd(deps, task);
}

function seal({ secrets }: PurgeTaskDeps, { task_id }: StoredProjectPurge, answer: object): string {
  return secrets.seal(JSON.stringify(answer), stepPlace(task_id, purgeStep, "response"));
}

/** Changes the task while it runs; one that has ended, or is gone, stays as it is. */
async function changeRunning(
  { records }: PurgeTaskDeps,
  { task_id }: StoredProjectPurge,
  by: (task: StoredTask) => StoredTask,
): Promise<StoredTask | undefined> {
  if ((await records.get("task", task_id))?.record.state !== "running") return undefined;
  return change(records, "task", {
    id: task_id,
    by: (present) => (present.state === "running" ? by(present) : present),
  });
}
