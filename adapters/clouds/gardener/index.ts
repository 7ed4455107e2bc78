import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { msOf } from "../../shared/durations.ts";
import { checkedOptions } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import { runWithDeadline } from "../shared/deadline.ts";
import { officialSender } from "./client/client.ts";
import { openKubernetes } from "./client/kubernetes.ts";
import { operations } from "./operations.ts";
import { type GardenerOptions, gardenerChecks } from "./options.ts";
import type { GardenerOperation } from "./projects.ts";

export type { ShootDefaults } from "../shared/clusters/shoot-spec.ts";
export type { GardenerOptions, KubeconfigSource } from "./options.ts";
export type { KubeAnswer, KubeRequest, KubeSender } from "./sender.ts";

/**
 * Clusters of a Gardener, over its Kubernetes API. Needs the package `@kubernetes/client-node`, which is loaded with the first call.
 * Every operation ends within `timeout`: `backend_unreachable`, `backend_timeout` or `backend_error` say why it did not succeed.
 */
export function gardener(options: GardenerOptions): AreaBackend<"clusters"> {
  checkedOptions(options, gardenerChecks, { of: "gardener", needs: ["kubeconfig"] });
  const kubernetes = openKubernetes(options.sender ?? officialSender(options), options.pageSize ?? 500);
  const settings = { clock: options.clock ?? systemClock, whole: msOf(options.timeout, 30_000), name: "Gardener" };
  const serve =
    (run: (task: GardenerOperation, input: never) => Promise<unknown>) => (input: never, call: PortalCall) =>
      runWithDeadline({ ...settings, signal: call.signal }, (deadline) =>
        run({ kubernetes, options, call, deadline }, input),
      );
  const methods = Object.entries(operations).map(([name, run]) => [name, serve(run)]);
  return Object.fromEntries(methods) as AreaBackend<"clusters">; // seam: one method per row, with that row's types
}
