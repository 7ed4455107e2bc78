import type { AreaBackend } from "../../../src/portal/regions.ts";
import { gardener } from "../gardener/index.ts";
import type { LocalContext } from "./context.ts";
import { localKubernetes } from "./kubernetes/kubernetes.ts";
import type { LocalCloudOptions } from "./options.ts";

/** `/cluster` of the embedded cloud: Gardener's own operations over our Kubernetes API. */
export function clustersOf(context: LocalContext, { shoots }: LocalCloudOptions, iaas: AreaBackend<"iaas">) {
  const sender = localKubernetes(context, context.opened);
  return gardener({ kubeconfig: { text: "" }, sender, clock: context.clock, iaas, shoots });
}
