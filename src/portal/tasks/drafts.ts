import { GatewayError } from "../../engine/errors.ts";
import type { StoredTask, StoredTaskStep } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { add, read, remove } from "../tenancy/record-access.ts";
import { refuseOthers, refuseTooMany } from "./checks.ts";
import { stepPlace } from "./secrets.ts";

/** Stores a draft without steps. Throws `quota_exceeded` for a user who has too many tasks. */
export async function createTask(id: string, name: string, call: PortalCall): Promise<{ id: string }> {
  await addDraft(call, { id, name, steps: [] });
  return { id };
}

interface Copy {
  readonly task_id: string;
  /** That of the task unless given. */
  readonly name: string | undefined;
}

/**
 * Stores a draft of the caller's own with the steps of a task, whatever its state. Only who may change the task may copy it: its steps may
 * send secrets that it does not show. The caller answers for the steps as if it had set them.
 */
export async function duplicateTask(
  { secrets, newId }: Pick<PortalDeps, "secrets" | "newId">,
  { task_id, name }: Copy,
  call: PortalCall,
): Promise<{ id: string }> {
  const task = await read(call.records, "task", task_id);
  refuseOthers(task, call.caller);
  const id = newId("tsk");
  const set_by = { user_id: call.caller.user.id, token_id: call.caller.token_id };
  const steps = copySteps({ secrets }, task, { id, set_by });
  await addDraft(call, { id, name: name ?? task.name, steps });
  return { id };
}

/** Returns the steps of a task for a copy with another id: as new, by whom they were set or by `set_by`. */
export function copySteps(
  { secrets }: Pick<PortalDeps, "secrets">,
  task: Pick<StoredTask, "id" | "steps">,
  copy: { readonly id: string; readonly set_by?: StoredTaskStep["set_by"] },
): StoredTaskStep[] {
  return task.steps.map((step) => {
    const sent = secrets.open(step.sealed_params, stepPlace(task.id, step.id, "params"));
    const sealed_params = secrets.seal(sent, stepPlace(copy.id, step.id, "params"));
    const set_by = copy.set_by ?? step.set_by;
    return { ...step, sealed_params, set_by, sealed_response: null, start_at: null, ended_at: null };
  });
}

/** Removes a draft or an ended task with what its steps answered. Throws `conflict` for one that is running. */
export async function deleteTask(task: StoredTask, { records, caller }: PortalCall): Promise<undefined> {
  refuseOthers(task, caller);
  if (task.state === "running")
    throw new GatewayError("conflict", `The task \`${task.id}\` is running: it can be deleted when it has ended.`);
  await records.remove("task_schedule", task.id);
  await remove(records, "task", task.id);
}

async function addDraft(
  { records, caller, now }: PortalCall,
  draft: Pick<StoredTask, "id" | "name" | "steps">,
): Promise<void> {
  await refuseTooMany(records, caller);
  await add(records, "task", {
    ...draft,
    ...{ owner: caller.user.id, created_at: new Date(now).toISOString(), ...scopeAt(caller.scope) },
    ...{ state: "draft", start_at: null, ended_at: null, read_at: null, lease_until: null },
  });
}
