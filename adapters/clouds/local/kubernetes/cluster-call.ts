import type { ShootState } from "./lifecycle.ts";

/** A request to the API of an embedded cluster. */
export interface ClusterRequest {
  readonly method: string;
  /** Path and query behind the address of the clusters: `/garden-a/web/api/v1/nodes`. */
  readonly address: string;
  /** The `authorization` header. */
  readonly authorization?: string | undefined;
  /** Reads the body, once its sender is known and may write; undefined for one that is too long. */
  readonly body: () => Promise<string | undefined>;
}

/** A cluster that a request has reached, and what is asked of it. */
export interface ClusterCall {
  readonly state: ShootState;
  readonly uid: string;
  readonly method: string;
  /** The path's segments behind the cluster's address. */
  readonly path: readonly string[];
  /** The body of a request that writes, parsed; undefined where it is no JSON. */
  readonly body: unknown;
}
