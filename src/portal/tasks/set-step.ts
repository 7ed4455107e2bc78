import { GatewayError } from "../../engine/errors.ts";
import type { RowInput } from "../../operations/portal/table.ts";
import type { StoredTask } from "../../operations/records/tasks.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { change } from "../tenancy/record-access.ts";
import { refuseOthers, refuseRunning } from "./checks.ts";
import { refuseScheduled } from "./schedule/changes.ts";
import { stepPlace } from "./secrets.ts";
import { nextStep, setStep } from "./state.ts";

/** Adds a step to a draft, or replaces one. Returns its id. */
export async function setTaskStep(
  { secrets }: Pick<PortalDeps, "secrets">,
  { task_id, step_id, description, method, params, step_path }: RowInput<"tasks.setStep">,
  call: PortalCall,
): Promise<{ id: number; task_id: string }> {
  const { records, caller } = call;
  refuseRunning(method, step_path);
  await refuseScheduled(task_id, call);
  const sent = JSON.stringify(readParams(params));
  const set_by = { user_id: caller.user.id, token_id: caller.token_id };
  let id = step_id;
  const by = (present: StoredTask) => {
    refuseOthers(present, caller);
    id = step_id ?? nextStep(present);
    const sealed_params = secrets.seal(sent, stepPlace(task_id, id, "params"));
    return setStep(present, { description, method, path: step_path, sealed_params, set_by }, step_id);
  };
  await change(records, "task", { id: task_id, by });
  return { id: id as number, task_id };
}

function readParams(params: string | Readonly<Record<string, unknown>>): object {
  if (typeof params !== "string") return params;
  try {
    const parsed: unknown = params.trim() === "" ? {} : JSON.parse(params);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // reported below
  }
  throw new GatewayError("invalid_request", "`params`: must be an object, or a string with the JSON of one.", {
    param: "params",
  });
}
