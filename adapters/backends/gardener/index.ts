import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { given } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import { runWork } from "../shared/work.ts";
import { officialSender } from "./client.ts";
import { openKubernetes } from "./kubernetes.ts";
import { operations } from "./operations.ts";
import { type GardenerOptions, gardenerChecks } from "./options.ts";
import type { Task } from "./projects.ts";

export type { ShootDefaults } from "../shared/clusters/shoot-spec.ts";
export type { GardenerOptions, KubeconfigSource } from "./options.ts";
export type { KubeAnswer, KubeRequest, KubeSender } from "./sender.ts";

/**
 * Clusters of a Gardener, over its Kubernetes API. Needs the package `@kubernetes/client-node`, which is loaded with the first call.
 * Every operation ends within `timeout`: `backend_unreachable`, `backend_timeout` or `backend_error` say why it did not succeed.
 */
export function gardener(options: GardenerOptions): AreaBackend<"clusters"> {
  given(options, gardenerChecks, { of: "gardener", needs: ["kubeconfig"] });
  const kubernetes = openKubernetes(options.sender ?? officialSender(options), options.pageSize ?? 500);
  const terms = { clock: options.clock ?? systemClock, whole: options.timeout ?? 30_000, name: "Gardener" };
  const serve = (run: (task: Task, input: never) => Promise<unknown>) => (input: never, call: PortalCall) =>
    runWork({ ...terms, signal: call.signal }, (work) => run({ kubernetes, options, call, work }, input));
  const methods = Object.entries(operations).map(([name, run]) => [name, serve(run)]);
  return Object.fromEntries(methods) as AreaBackend<"clusters">; // seam: one method per row, with that row's types
}
