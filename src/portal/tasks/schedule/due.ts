import { hash } from "node:crypto";
import { GatewayError, isGatewayError } from "../../../engine/errors.ts";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { StoredTask, StoredTaskSchedule } from "../../../operations/records/tasks.ts";
import type { StoredGiver } from "../../../operations/records/users.ts";
import type { PortalDeps } from "../../area.ts";
import type { Caller } from "../../call/call.ts";
import { operator } from "../../call/operator.ts";
import { type GrantDeps, permissionsOfGiver } from "../../identity/giver.ts";
import { scopeOfUser } from "../../identity/user-scope.ts";
import { inParallel } from "../../locks/in-parallel.ts";
import { change, readAll } from "../../tenancy/record-access.ts";
import { copySteps } from "../drafts.ts";
import { notifyEnd } from "../run.ts";
import { isAbandoned } from "../state.ts";
import { nextTime } from "./times.ts";

/** The most ended runs of a repeated task that stay. */
const mostRuns = 50;

/** Returns the task of a run: the draft itself, or a copy of it; undefined while the run before is still at work. */
async function openRun(
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

/**
 * Returns who set a schedule as the caller of its runs: in the user's present scope, with what the user, and the token that set it, may do
 * now. Throws `permission_denied` for a user or a token that is gone or has ended.
 */
async function runnerOf(deps: GrantDeps & { readonly clock: Pick<Clock, "now"> }, giver: StoredGiver): Promise<Caller> {
  const { user_id, token_id } = giver;
  const permissions = await permissionsOfGiver(deps, giver);
  if (user_id === operator.user.id) return { ...operator, permissions };
  const user = (await deps.records.get("user", user_id))?.record;
  if (!user?.enabled) throw refused("user");
  const token = token_id === null ? undefined : (await deps.records.get("token", token_id))?.record;
  if (token_id !== null && !token) throw refused("token");
  if (token?.ends_at && Date.parse(token.ends_at) <= deps.clock.now()) throw refused("token");
  return { user: { id: user_id, username: user.username }, scope: scopeOfUser(user), permissions, token_id };
}

function refused(what: string): GatewayError {
  return new GatewayError("permission_denied", `The ${what} that set the schedule can no longer run it.`, {
    param: "task_id",
  });
}
