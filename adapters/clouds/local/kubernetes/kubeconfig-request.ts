import type { KubeAnswer, KubeRequest } from "../../gardener/index.ts";
import { answer, coreApi, type KubePath, refuse } from "./kube-objects.ts";
import { type KubeContext, readStored } from "./kube-store.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { shootAt } from "./lifecycle.ts";

const roles: Readonly<Record<string, "admin" | "viewer">> = { adminkubeconfig: "admin", viewerkubeconfig: "viewer" };

/** A kubeconfig of a cluster; a cluster that has no API server yet, or none any more, gives none. */
export async function makeKubeconfig(
  { body }: KubeRequest,
  path: KubePath,
  context: KubeContext,
): Promise<KubeAnswer | undefined> {
  const role = roles[path.subresource ?? ""];
  const stored = await readStored(path, context);
  if (role === undefined || stored === undefined) return undefined;
  if (shootAt(stored, context.clock.now())?.hasApiServer !== true) {
    const message = "no kube-apiserver advertised addresses in Shoot .status.advertisedAddresses";
    return refuse({ code: 422, reason: "Invalid", message }, path);
  }
  const { expirationSeconds } = (body as { spec: { expirationSeconds: number } }).spec;
  const issuedAt = Math.floor(context.clock.now() / 1000);
  const { namespace = "", name: shoot = "" } = path;
  const server = `${context.clusterEndpoint()}/${namespace}/${shoot}`;
  const expiresAt = issuedAt + expirationSeconds;
  const project = namespace.replace(/^garden-/, "");
  const plan = { role, project, shoot, uid: stored.metadata.uid ?? "", server, issuedAt, expiresAt };
  const status = {
    kubeconfig: Buffer.from(writeKubeconfig(plan, context.signingKey)).toString("base64"),
    expirationTimestamp: new Date(expiresAt * 1000).toISOString(),
  };
  return answer(201, { apiVersion: coreApi, kind: "KubeconfigRequest", spec: { expirationSeconds }, status });
}
