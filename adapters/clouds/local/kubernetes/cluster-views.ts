import type { ShootState } from "./lifecycle.ts";

interface ShownCluster {
  readonly state: ShootState;
}

/** Namespaces that every cluster has. */
export const namespaceNames = ["default", "kube-node-lease", "kube-public", "kube-system"];

function creationOf({ object }: ShootState) {
  return object.metadata.creationTimestamp;
}

/** The namespaces of a cluster. */
export function namespacesOf({ state }: ShownCluster) {
  return namespaceNames.map((name) => ({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, creationTimestamp: creationOf(state) },
    status: { phase: "Active" },
  }));
}

interface WorkerShape {
  readonly name: string;
  readonly machine: { readonly type?: string; readonly image?: { readonly name?: string; readonly version?: string } };
}

/** A node for each machine of the worker groups, as many as there are at the moment. */
export function nodesOf({ state }: ShownCluster) {
  const { kubernetes, provider } = state.object.spec as {
    kubernetes?: { version?: string };
    provider?: { workers?: readonly WorkerShape[] };
  }; // seam: it was reviewed against the cloud profile
  const workers = new Map((provider?.workers ?? []).map((worker) => [worker.name, worker]));
  return Object.entries(state.sizes).flatMap(([group, size]) =>
    Array.from({ length: size }, (_, index) => {
      const { type = "", image } = workers.get(group)?.machine ?? {};
      const labels = { "worker.gardener.cloud/pool": group, "node.kubernetes.io/instance-type": type };
      const osImage = [image?.name, image?.version].filter((part) => part !== undefined).join(" ");
      const nodeInfo = { kubeletVersion: `v${kubernetes?.version ?? ""}`, osImage, architecture: "amd64" };
      return {
        kind: "Node",
        apiVersion: "v1",
        metadata: { name: `${group}-${index + 1}`, labels, creationTimestamp: creationOf(state) },
        status: { conditions: [{ type: "Ready", status: "True", reason: "KubeletReady" }], nodeInfo },
      };
    }),
  );
}

/** What runs of the cluster itself: a proxy on each node, and the name service on the first one. */
export function podsOf(shown: ShownCluster) {
  const pod = (name: string, nodeName: string) => ({
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name, namespace: "kube-system", creationTimestamp: creationOf(shown.state) },
    spec: { nodeName, containers: [{ name: name.split("-").slice(0, 2).join("-") }] },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  });
  const names = nodesOf(shown).map(({ metadata }) => metadata.name);
  const dns = names.slice(0, 1).map((node) => pod("core-dns-0", node));
  return [...dns, ...names.map((node) => pod(`kube-proxy-${node}`, node))];
}
