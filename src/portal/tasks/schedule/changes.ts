import { GatewayError } from "../../../engine/errors.ts";
import type { TaskSchedule } from "../../../operations/portal/tenancy/tasks.ts";
import type { StoredTaskSchedule } from "../../../operations/records/tasks.ts";
import type { PortalCall } from "../../call/call.ts";
import { type GrantDeps, giverOf } from "../../identity/giver.ts";
import { read, readAll, remove, write } from "../../tenancy/record-access.ts";
import { refuseOthers } from "../checks.ts";
import { type AskedTimes, nextTime, readTimes } from "./times.ts";

/** The most schedules of a user. */
const mostSchedules = 100;

/** Lets a draft run by itself, with what the caller may do then. Throws `conflict` for a task that is no draft. */
export async function setSchedule(
  deps: GrantDeps,
  { task_id, ...asked }: AskedTimes & { readonly task_id: string },
  call: PortalCall,
): Promise<TaskSchedule> {
  const { records, caller, now, region } = call;
  const task = await read(records, "task", task_id);
  refuseOthers(task, caller);
  if (task.state !== "draft")
    throw new GatewayError("conflict", `The task \`${task_id}\` is ${task.state}: only a draft can be scheduled.`);
  if (task.steps.length === 0) throw new GatewayError("conflict", `The task \`${task_id}\` has no steps to run.`);
  if (!caller.permissions.has("task_run-post"))
    throw new GatewayError("permission_denied", "A schedule runs the task, which you may not.", {
      param: "task_run-post",
    });
  const times = readTimes(asked, now);
  const giver = await giverOf(deps, caller);
  const own = (await readAll(records, "task_schedule")).filter((each) => each.giver.user_id === caller.user.id);
  if (own.length >= mostSchedules && !own.some(({ id }) => id === task_id))
    throw new GatewayError(
      "quota_exceeded",
      `You have ${mostSchedules} scheduled tasks. Take the schedule off some of them.`,
    );
  const { reseller, client_id, user_id = null } = task;
  const fresh = { created_at: new Date(now).toISOString(), reseller, client_id, user_id };
  const next_at = nextTime(times, now);
  const by = (present: StoredTaskSchedule | undefined): StoredTaskSchedule => ({
    ...(present ?? fresh),
    ...times,
    ...{ id: task_id, next_at, due_task_id: present?.due_task_id ?? null, region, giver },
  });
  return showSchedule(await write(records, "task_schedule", { id: task_id, by }));
}

/** Takes the schedule off a task. Throws `conflict` for a task without one. */
export async function removeSchedule(id: string, { records, caller }: PortalCall): Promise<undefined> {
  refuseOthers(await read(records, "task", id), caller);
  if (!(await records.get("task_schedule", id)))
    throw new GatewayError("conflict", `The task \`${id}\` is not scheduled.`, { param: "task_id" });
  await remove(records, "task_schedule", id);
}

/** Returns the schedule of a task: without times for a task that runs only when it is asked to. */
export async function readSchedule(id: string, { records }: PortalCall): Promise<TaskSchedule> {
  await read(records, "task", id);
  const stored = await records.get("task_schedule", id);
  return showSchedule(stored?.record ?? { id, at: null, cron: null, timezone: "UTC", next_at: null });
}

/** Throws `conflict` for a scheduled task: what runs by itself stays what it was when the schedule was set. */
export async function refuseScheduled(id: string, { records }: PortalCall): Promise<void> {
  if (!(await records.get("task_schedule", id))) return;
  throw new GatewayError(
    "conflict",
    `The task \`${id}\` is scheduled: take the schedule off before you change its steps.`,
  );
}

type Shown = Pick<StoredTaskSchedule, "id" | "at" | "cron" | "timezone" | "next_at">;

function showSchedule({ id, at, cron, timezone, next_at }: Shown): TaskSchedule {
  return { task_id: id, cron, timezone, at: instant(at), next_run_at: instant(next_at) };
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
