/**
 * Whether descriptions of a server's tools are approved before anybody sees them. `first_use` approves a tool when it is first listed;
 * `pinned` none. With both, a tool whose description changed since then is neither listed nor called.
 */
export type ToolApprovalMode = "first_use" | "pinned";

/** The approved descriptions of a server's tools, as a record; its id is the server's name. */
export interface StoredToolApprovals {
  readonly id: string;
  readonly created_at: string;
  /** The server's own names of tools, and hashes of their descriptions. */
  readonly fingerprints: readonly (readonly [tool: string, fingerprint: string])[];
  /** What was approved, as JSON text, for as many tools as are small enough: it shows what changed. */
  readonly descriptions?: readonly (readonly [tool: string, description: string])[] | undefined;
}
