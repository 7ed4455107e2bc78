import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { anything, type Checks, duration, object, positive, text } from "../../shared/options.ts";
import type { ShootDefaults } from "../shared/clusters/shoot-spec.ts";
import type { KubeSender } from "./sender.ts";

/** Where the kubeconfig comes from: a file, its text, or the service account of the pod that we run in. */
export type KubeconfigSource =
  | { readonly file: string }
  | { readonly text: string }
  /** The mounted service account. */
  | { readonly inCluster: true };

/** How to reach a Gardener, and with what rights. */
export interface GardenerOptions {
  /** The identity and the API's address. Its rights bound what the portal can do, for every caller. */
  readonly kubeconfig: KubeconfigSource;
  /** The context of the kubeconfig; its current one unless given. */
  readonly context?: string | undefined;
  readonly shoots?: ShootDefaults | undefined;
  /** The region's infrastructure, for the names of projects and domains in `GET /cluster/shoots`; left out of the answer unless given. */
  readonly iaas?: Pick<AreaBackend<"iaas">, "projects"> | undefined;
  /** How long one operation may take, all its requests together, in milliseconds or as text; `"30s"` unless given. */
  readonly timeout?: Duration | undefined;
  /** Objects per page of a list; 500 unless given. */
  readonly pageSize?: number | undefined;
  /** How requests are sent; the official client unless given. */
  readonly sender?: KubeSender | undefined;
  readonly clock?: Clock | undefined;
}

export const gardenerChecks: Checks<GardenerOptions> = {
  kubeconfig: object,
  context: text,
  shoots: object,
  iaas: object,
  timeout: duration,
  pageSize: positive,
  sender: anything,
  clock: object,
};
