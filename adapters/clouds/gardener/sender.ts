import type { Abortable } from "../../../src/engine/runtime/abortable.ts";

/** One request to the Kubernetes API. */
export interface KubeRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** From the root of the server, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** `application/json` unless given. */
  readonly contentType?: string | undefined;
}

/** An answer of any status, read to its end. */
export interface KubeAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request with our identity; throws GatewayErrors of the portal's back ends when no answer comes. */
export type KubeSender = (request: KubeRequest, signal: Abortable) => Promise<KubeAnswer>;
