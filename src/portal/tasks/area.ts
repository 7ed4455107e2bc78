import type { StoredTask } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read, readAll } from "../tenancy/record-access.ts";
import { refuseOthers } from "./checks.ts";
import { createTask, deleteTask, duplicateTask } from "./drafts.ts";
import { notifyEnd, runTask } from "./run.ts";
import { readSchedule, removeSchedule, setSchedule } from "./schedule/changes.ts";
import { setTaskStep } from "./set-step.ts";
import { showRun, showStep, showTask } from "./show.ts";
import { askToStop, end, isAbandoned, versionOf } from "./state.ts";

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
      const [nextRun, ...all] = await Promise.all([nextRuns(call), ...found.map((task) => settled(task, call))]);
      const asked = all.filter(({ read_at }) => unread !== true || read_at === null);
      return asked.map((task) => showTask(task, nextRun(task.id)));
    },
    create: ({ name }, call) => createTask(deps.newId("tsk"), name, call),
    async get({ task_id }, call) {
      const task = await settled(await read(call.records, "task", task_id), call);
      return showTask(task, (await call.records.get("task_schedule", task_id))?.record.next_at);
    },
    async stop({ task_id }, call) {
      const { records, caller, now } = call;
      refuseOthers(await settled(await read(records, "task", task_id), call), caller);
      const by = (present: StoredTask) => askToStop(present, caller.user.username, now);
      const { id, state, steps_done, steps_total } = showTask(await change(records, "task", { id: task_id, by }));
      return { id, state, steps_done, steps_total };
    },
    schedule: (asked, call) => setSchedule(deps, asked, call),
    readSchedule: ({ task_id }, call) => readSchedule(task_id, call),
    unschedule: ({ task_id }, call) => removeSchedule(task_id, call),
    duplicate: ({ task_id, name }, call) => duplicateTask(deps, { task_id, name }, call),
    delete: async ({ task_id }, call) =>
      deleteTask(await settled(await read(call.records, "task", task_id), call), call),
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
    setStep: (asked, call) => setTaskStep(deps, asked, call),
  };
}

/** Returns when each scheduled task runs next. */
async function nextRuns({ records }: PortalCall): Promise<(id: string) => number | null | undefined> {
  const times = new Map((await readAll(records, "task_schedule")).map(({ id, next_at }) => [id, next_at]));
  return (id) => times.get(id);
}
