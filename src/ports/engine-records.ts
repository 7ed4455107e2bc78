import type { StoredToolApprovals } from "./tools/approvals.ts";

/** The name that a deleted key, project or customer had, for reports of what it used; its id is the one of that record. */
export interface DeletedName {
  readonly id: string;
  readonly name: string;
  /** The tenant that it was of, as records of the engine have it. */
  readonly metadata: { readonly reseller?: string | undefined; readonly client_id?: string | undefined };
  /** When it was deleted. */
  readonly created_at: string;
}

/** A secret of the engine's own, shared by all processes over a store; never shown. */
export interface EngineSecret {
  /** What it is for. */
  readonly id: string;
  readonly created_at: string;
  /** Base64. */
  readonly value: string;
}

/** What the engine keeps for itself, by kind. */
export interface EngineRecords {
  deleted_name: DeletedName;
  secret: EngineSecret;
  tool_approval: StoredToolApprovals;
}
