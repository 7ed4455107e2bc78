import type { AreaBackend } from "../../../src/portal/regions.ts";
import { gardener } from "../gardener/index.ts";
import type { LocalContext } from "./context.ts";
import type { Resource } from "./inventory.ts";
import { serveCluster } from "./kubernetes/cluster-api.ts";
import type { ClusterRequest } from "./kubernetes/cluster-call.ts";
import { objectId, type StoredKubeObject } from "./kubernetes/kube-objects.ts";
import type { KubeContext } from "./kubernetes/kube-store.ts";
import { localKubernetes } from "./kubernetes/kubernetes.ts";
import { settledShoot } from "./kubernetes/lifecycle.ts";
import type { LocalCloudOptions } from "./options.ts";

/** `/cluster` of the embedded cloud: Gardener's own operations over our Kubernetes API. */
export function clustersOf(
  context: LocalContext & KubeContext,
  { shoots }: LocalCloudOptions,
  iaas: AreaBackend<"iaas">,
) {
  const sender = localKubernetes(context, context.opened);
  return gardener({ kubeconfig: { text: "" }, sender, clock: context.clock, iaas, shoots });
}

/** The APIs of the clusters themselves, and how what runs on one is ended. */
export function clusterApiOf(context: LocalContext) {
  const { inventory, opened } = context;
  return {
    async serveCluster(request: ClusterRequest) {
      await opened();
      return serveCluster(request, context);
    },
    async settleCluster(namespace: string, name: string): Promise<void> {
      const settle = (item: Resource) => settledShoot(item as unknown as StoredKubeObject) as unknown as Resource; // seam: written by the API
      await inventory.change("kube.shoots", objectId(namespace, name), settle);
    },
  };
}
