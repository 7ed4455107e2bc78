import type { PortalRecord } from "./record.ts";
import type { StoredGiver } from "./users.ts";

/** `draft → running → done | failed` (portal-resolved.md, section 5), and `stopped` from running. */
export type TaskState = "draft" | "running" | "done" | "failed" | "stopped";

/** One call of a task. Its fields and its answer may contain secrets, and are sealed. */
export interface StoredTaskStep {
  /** Counts from 1; steps run in this order. */
  readonly id: number;
  readonly description: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** JSON of the fields, sealed. */
  readonly sealed_params: string;
  /** JSON of the answer or of the error, sealed; null until there is one. */
  readonly sealed_response: string | null;
  readonly start_at: string | null;
  readonly ended_at: string | null;
  /** Who made or last changed it, and with which token; null for a caller of this process. Absent in steps of an older version. */
  readonly set_by?: { readonly user_id: string; readonly token_id: string | null } | undefined;
}

/** A list of portal calls that run one after the other. */
export interface StoredTask extends PortalRecord {
  readonly name: string;
  /** The user who made it. */
  readonly owner: string;
  readonly state: TaskState;
  readonly start_at: string | null;
  readonly ended_at: string | null;
  readonly read_at: string | null;
  /** The end of the lease of the process that runs it, in milliseconds since the epoch; null while none does. */
  readonly lease_until: number | null;
  /** Who asked it to stop after the present step, by name, and when; absent until then. */
  readonly stop?: { readonly by: string; readonly at: string } | undefined;
  /** The scheduled task whose repetition it is; absent for any other. */
  readonly repeats?: string | undefined;
  /** The scope of its runner, to which the answers of its steps belong. Absent in a draft. */
  readonly runner?: {
    readonly reseller: string | null;
    readonly client_id: string | null;
    readonly user_id: string | null;
  };
  readonly steps: readonly StoredTaskStep[];
}

/** When a draft runs by itself: its id is the task's. Instants are milliseconds since the epoch. */
export interface StoredTaskSchedule extends PortalRecord {
  /** The instant of a task that runs once; null for a repeated one. */
  readonly at: number | null;
  /** Cron, five fields, by the clocks of the time zone; null for a task that runs once. */
  readonly cron: string | null;
  readonly timezone: string;
  /** The next time; null when there is none any more. */
  readonly next_at: number | null;
  /** The run that is due and was not seen to begin; null while there is none. */
  readonly due_task_id: string | null;
  /** The code of the region that the steps are called in. */
  readonly region: string;
  /** Who set the schedule: the runs are made with what that user may do then. */
  readonly giver: StoredGiver;
}
