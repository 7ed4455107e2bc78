import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { StoredLeftover, StoredProjectPurge } from "../../operations/records/cloud.ts";
import type { StoredTask, StoredTaskStep } from "../../operations/records/tasks.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { stepPlace } from "../call/sealed-places.ts";
import { add } from "../tenancy/record-access.ts";

/** The one step of the task that shows a purge. */
export const purgeStep = 1;

/**
 * Starts the purge of a project as a running task of the caller's, and tells the caller its id. A job carries it out. Throws `conflict` while
 * the project is being purged.
 */
export async function requestPurge(
  project_id: string,
  left: readonly StoredLeftover[],
  call: PortalCall,
): Promise<void> {
  const { allRecords, now, region } = call;
  const task_id = `tsk_${hash("sha256", `purge/${call.eventId}`, "hex").slice(0, 20)}`;
  const created_at = new Date(now).toISOString();
  const project = (await allRecords.get("cloud_project", project_id))?.record;
  const owner = { reseller: project?.reseller ?? null, client_id: project?.client_id ?? null, user_id: null };
  const purge: StoredProjectPurge = {
    ...{ id: project_id, created_at, ...owner, region, task_id, state: "running" },
    ...{ left: left.slice(0, 100), left_count: left.length, fewest: left.length, progress_at: now },
    ...{ message: null, retry_at: now },
  };
  const before = await allRecords.get("project_purge", project_id);
  if (before?.record.state === "running") throw underWay(before.record);
  const task = taskOf(purge, call); // sealing may be refused: nothing is written then
  await add(call.records, "task", task);
  const outcome = await allRecords.put("project_purge", purge, before?.version ?? 0);
  if (outcome.kind !== "stored") {
    await call.records.remove("task", task_id);
    throw underWay(purge);
  }
  call.showJob?.(task_id);
}

function underWay({ id }: StoredProjectPurge): GatewayError {
  return new GatewayError("conflict", `The project \`${id}\` is being purged already: see the tasks.`);
}

function taskOf({ id, task_id, created_at }: StoredProjectPurge, { caller, secrets }: PortalCall): StoredTask {
  const { user, token_id, scope } = caller;
  const params = secrets.seal(JSON.stringify({ purge: true }), stepPlace(task_id, purgeStep, "params"));
  const own = scopeAt(scope);
  const step: StoredTaskStep = {
    ...{ id: purgeStep, description: `Purge of the project ${id}`, path: `/iaas/project/${id}` },
    ...{ sealed_params: params, sealed_response: null, start_at: created_at, ended_at: null },
    ...{ method: "DELETE", set_by: { user_id: user.id, token_id } },
  };
  return {
    ...{ id: task_id, created_at, ...own, name: `Purge of the project ${id}`, owner: user.id, runner: own },
    ...{ state: "running", start_at: created_at, ended_at: null, read_at: null, lease_until: null, steps: [step] },
  };
}
