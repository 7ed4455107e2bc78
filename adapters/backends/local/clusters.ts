import type { AreaBackend } from "../../../src/portal/regions.ts";
import { gardener } from "../gardener/index.ts";
import type { LocalGround } from "./ground.ts";
import { localKubernetes } from "./kubernetes.ts";
import type { LocalOptions } from "./options.ts";

/** `/cluster` of the embedded cloud: Gardener's own operations over our Kubernetes API. */
export function clustersOf(ground: LocalGround, { shoots }: LocalOptions, iaas: AreaBackend<"iaas">) {
  const sender = localKubernetes(ground, ground.opened);
  return gardener({ kubeconfig: { text: "" }, sender, clock: ground.clock, iaas, shoots });
}
