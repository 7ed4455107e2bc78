import { type GatewayError, isGatewayError, toGatewayError } from "../../../../src/engine/errors.ts";
import type { StoredCloudRollback, TakeBackStep } from "../../../../src/operations/records/cloud.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { isOfLostAnswer, overAfterMs } from "../../../../src/portal/jobs/late-steps.ts";
import { change, readAll, write } from "../../../../src/portal/tenancy/record-access.ts";
import type { ProjectOwner } from "../../shared/visibility.ts";
import type { Cloud } from "../client/cloud.ts";
import { orphanError, type Undo } from "../quotas/quotas.ts";
import { takeStep } from "./steps.ts";

/** What one operation may leave at the cloud, as the portal's record of it says. */
export interface RollbackLog {
  /** Writes what would have to be taken back from here on. Before it is written nothing may begin. */
  begin(steps: readonly TakeBackStep[]): Promise<void>;
  /** Nothing is left. A record that cannot be removed does no harm: its steps find nothing to do. */
  clear(): Promise<void>;
  /**
   * Takes the steps, under a deadline of their own; what may still come, since an answer was lost, a job looks for later. Where one fails, it and those behind it stay as a record that a job retries, and the
   * error says so.
   */
  takeBack(steps: readonly TakeBackStep[], failure: { readonly thrown: unknown; readonly what: string }): Promise<void>;
}

/** What a log works with. */
interface LogContext {
  readonly cloud: Cloud;
  readonly undo: Undo;
  readonly call: PortalCall;
  readonly owner: ProjectOwner;
}

/** Opens the log of one operation. */
export function openRollbackLog({ cloud, undo, call, owner }: LogContext): RollbackLog {
  const id = `rbk_${call.eventId}`;
  const put = (
    state: StoredCloudRollback["state"],
    parts: Pick<StoredCloudRollback, "steps" | "message" | "retry_at">,
  ) =>
    write(call.allRecords, "cloud_rollback", {
      id,
      by: () => {
        const created_at = new Date(call.now).toISOString();
        return { id, created_at, ...owner, region: call.region, state, attempts: 0, ...parts };
      },
    });
  const clear = async () => {
    try {
      await call.allRecords.remove("cloud_rollback", id);
    } catch {} // the job finds nothing to do
  };
  return {
    begin: async (steps) => void (await put("pending", { steps, message: null, retry_at: call.now + overAfterMs })),
    clear,
    async takeBack(steps, { thrown, what }) {
      let taken = 0;
      try {
        for (const step of steps) {
          await undo(async (deadline) => {
            const { removed } = await takeStep(cloud, step, { deadline, isWanted: async () => false });
            if (removed !== undefined) await call.allRecords.remove("cloud_project", removed);
          });
          taken++;
        }
      } catch (failure) {
        const { message } = toGatewayError(failure);
        await put("stuck", { steps: steps.slice(taken), message, retry_at: call.now }).catch(() => undefined); // `pending` stands then
        throw orphanError(thrown, `${what} The portal tries again until nothing is left.`);
      }
      const late = steps.filter(isOfLostAnswer);
      if (late.length === 0) await clear();
      else
        await put("pending", { steps: late, message: null, retry_at: call.now + overAfterMs }).catch(() => undefined);
    },
  };
}

/** The rollbacks of a region that a caller sees and that are no part of an operation on its way. */
export async function stuckIn({ region }: PortalCall, records: PortalCall["records"]): Promise<StoredCloudRollback[]> {
  const all = await readAll(records, "cloud_rollback");
  return all.filter((rollback) => rollback.region === region && rollback.state === "stuck");
}

/** Takes back now what a failed creation has left under a name; true where something was. */
export async function freeName({ cloud, undo, call }: Omit<LogContext, "owner">, name: string): Promise<boolean> {
  const holds = (step: TakeBackStep) => step.kind === "delete_project" && step.name === name;
  const found = (await stuckIn(call, call.allRecords)).filter(({ steps }) => steps.some(holds));
  for (const rollback of found) await finish({ cloud, undo, call }, rollback);
  return found.length > 0;
}

/** Takes all steps of a stuck record and removes it; where an answer was lost, the job looks once more. */
export async function finish(
  { cloud, undo, call }: Omit<LogContext, "owner">,
  { id, steps }: StoredCloudRollback,
): Promise<void> {
  const late = steps.filter(isOfLostAnswer);
  for (const step of steps)
    await undo(async (deadline) => {
      const { removed } = await takeStep(cloud, step, { deadline, isWanted: async () => false });
      if (removed !== undefined) await call.allRecords.remove("cloud_project", removed);
    });
  if (late.length === 0) return void (await call.allRecords.remove("cloud_rollback", id));
  const later = { state: "pending", steps: late, retry_at: call.now + overAfterMs } as const;
  await change(call.allRecords, "cloud_rollback", { id, by: (present) => ({ ...present, ...later }) });
}

/** An operator has disabled a project: what an earlier deletion of it would enable again stays disabled. */
export async function forgetEnabling(projectId: string, records: PortalCall["allRecords"]): Promise<void> {
  const isOther = (step: TakeBackStep) => step.kind !== "enable_project" || step.project_id !== projectId;
  const found = (await readAll(records, "cloud_rollback")).filter(({ steps }) => !steps.every(isOther));
  const by = (present: StoredCloudRollback) => ({ ...present, steps: present.steps.filter(isOther) });
  for (const { id } of found) await change(records, "cloud_rollback", { id, by });
}

/** True for a refusal because of a name that is taken. */
export function isTaken(thrown: unknown): thrown is GatewayError {
  return isGatewayError(thrown) && thrown.code === "conflict";
}
