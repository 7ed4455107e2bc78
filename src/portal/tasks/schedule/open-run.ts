import type { StoredTask, StoredTaskSchedule } from "../../../operations/records/tasks.ts";
import type { PortalDeps } from "../../area.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { copySteps } from "../drafts.ts";
import { isAbandoned } from "../state.ts";

/** The most ended runs of a repeated task that stay. */
const mostRuns = 50;

/** Returns the task of a run: the draft itself, or a copy of it; undefined while the run before is still at work. */
export async function openRun(
  deps: PortalDeps,
  template: StoredTask,
  { due_task_id, cron }: StoredTaskSchedule,
): Promise<StoredTask | undefined> {
  if (cron === null || due_task_id === null) return template;
  const { records, clock } = deps;
  const now = clock.now();
  const { reseller, client_id } = template;
  const where = { ...(reseller === null ? {} : { reseller }), ...(client_id === null ? {} : { client_id }) };
  const runs = (await readAll(records, "task", where)).filter(({ repeats }) => repeats === template.id);
  const present = runs.find(({ id }) => id === due_task_id);
  if (present) return present;
  if (runs.some((run) => run.state === "running" && !isAbandoned(run, now))) return undefined;
  const ended = runs.filter(({ state }) => state !== "running" && state !== "draft");
  for (const { id } of ended.slice(0, Math.max(0, ended.length - mostRuns + 1))) await records.remove("task", id);
  const steps = copySteps(deps, template, { id: due_task_id });
  const copy: StoredTask = {
    ...template,
    ...{ id: due_task_id, created_at: new Date(now).toISOString(), repeats: template.id, steps },
  };
  await records.put("task", copy, 0); // another process may have made the same
  return copy;
}
