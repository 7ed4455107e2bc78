import { hash } from "node:crypto";
import { isGatewayError } from "../../../engine/errors.ts";
import type { StoredTask, StoredTaskSchedule } from "../../../operations/records/tasks.ts";
import type { PortalDeps } from "../../area.ts";
import { inParallel } from "../../locks/in-parallel.ts";
import { change, readAll } from "../../tenancy/record-access.ts";
import { notifyEnd } from "../run.ts";
import { openRun } from "./open-run.ts";
import { runnerOf } from "./runner.ts";
import { nextTime } from "./times.ts";

/** The number of scheduled tasks that one process runs at a time. */
const atOnce = 4;

/**
 * Runs the tasks whose time has come. All its state is in the store, every step can be repeated, and a run begins once: any number of
 * processes may call it, and any of them may die at any point. What was due while no process ran is run once, late.
 */
export async function runDueTasks(deps: PortalDeps): Promise<void> {
  const now = deps.clock.now();
  const due = (await readAll(deps.records, "task_schedule")).filter(
    ({ next_at, due_task_id }) => due_task_id !== null || (next_at !== null && next_at <= now),
  );
  const failures: unknown[] = [];
  await inParallel(due, atOnce, ({ id }) => runDue(deps, id).catch((thrown: unknown) => void failures.push(thrown)));
  if (failures.length > 0) throw failures[0];
}

async function runDue(deps: PortalDeps, id: string): Promise<void> {
  const { records, clock } = deps;
  const template = (await records.get("task", id))?.record;
  if (!template) return void (await records.remove("task_schedule", id));
  const schedule = await ifThere(change(records, "task_schedule", { id, by: (one) => takeDue(one, clock.now()) }));
  if (!schedule?.due_task_id) return;
  const task = await openRun(deps, template, schedule);
  if (task?.state === "draft") await runAsGiver(deps, task, schedule);
  const left = await ifThere(change(records, "task_schedule", { id, by: (one) => settle(one, schedule) }));
  if (left?.next_at === null && left.due_task_id === null) await records.remove("task_schedule", id);
}

/** Notes the run that is due, and the next time after it. */
function takeDue(schedule: StoredTaskSchedule, now: number): StoredTaskSchedule {
  const { next_at, due_task_id, id, cron } = schedule;
  if (due_task_id !== null || next_at === null || next_at > now) return schedule;
  const due = cron === null ? id : `tsk_${hash("sha256", `${id}/${next_at}`, "hex").slice(0, 20)}`;
  return { ...schedule, due_task_id: due, next_at: nextTime(schedule, now) };
}

function settle(present: StoredTaskSchedule, { due_task_id }: StoredTaskSchedule): StoredTaskSchedule {
  return present.due_task_id === due_task_id ? { ...present, due_task_id: null } : present;
}

/** Runs a task by the portal's own operation, so that it is checked and audited as any other run. */
async function runAsGiver(deps: PortalDeps, { id }: StoredTask, { giver, region }: StoredTaskSchedule): Promise<void> {
  try {
    const caller = await runnerOf(deps, giver);
    await deps.call({ method: "POST", path: `/task/${id}/run`, caller, region });
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.status >= 500) throw thrown; // the run is still due
    await failUnrun(deps, id);
  }
}

/** Fails a run that could not begin: the user who set the schedule may no longer run it. One that another process began stays. */
async function failUnrun({ records, clock, notify }: PortalDeps, id: string): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  const by = (present: StoredTask): StoredTask =>
    present.state === "draft" ? { ...present, state: "failed", start_at: now, ended_at: now } : present;
  const before = (await records.get("task", id))?.record.state;
  const task = await ifThere(change(records, "task", { id, by }));
  if (before === "draft" && task?.state === "failed") await notifyEnd({ notify }, task);
}

/** A record that was removed meanwhile is undefined. */
async function ifThere<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch((thrown: unknown) => {
    if (isGatewayError(thrown) && thrown.code === "not_found") return undefined;
    throw thrown;
  });
}
