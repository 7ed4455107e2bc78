import type { PortalRecord } from "./record.ts";

/** `draft → running → done | failed` (portal-resolved.md, section 5). */
export type TaskState = "draft" | "running" | "done" | "failed";

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
  /** The scope of its runner, to which the answers of its steps belong. Absent in a draft. */
  readonly runner?: {
    readonly reseller: string | null;
    readonly client_id: string | null;
    readonly user_id: string | null;
  };
  readonly steps: readonly StoredTaskStep[];
}
