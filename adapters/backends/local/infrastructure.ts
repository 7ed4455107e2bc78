import { GatewayError } from "../../../src/errors.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { iaasProjectOf } from "../gardener/projects.ts";
import { iaasOf } from "../openstack/iaas.ts";
import { usageOf } from "../openstack/usage.ts";
import { recordOf } from "../shared/sight.ts";
import { localCloud } from "./cloud.ts";
import type { LocalGround } from "./ground.ts";
import type { KubeThing } from "./kube-objects.ts";
import type { LocalOptions } from "./options.ts";
import { localSite } from "./site.ts";

/** `/iaas` of the embedded cloud, and what it uses of its quotas: OpenStack's own operations over our services. */
export function infrastructureOf(ground: LocalGround, options: LocalOptions) {
  const site = localSite(localCloud(ground, ground.opened), options, ground.clock);
  const iaas: Required<AreaBackend<"iaas">> = iaasOf(site);
  const deleteProject: typeof iaas.deleteProject = async (input, call) => {
    await recordOf(input.project_id, call);
    await refuseWithClusters(input.project_id, ground);
    return iaas.deleteProject(input, call);
  };
  return { iaas: { ...iaas, deleteProject }, quotas: usageOf(site) };
}

/** OpenStack knows of no clusters: a cluster project would stay behind its infrastructure project. Throws `conflict`. */
async function refuseWithClusters(projectId: string, { inventory, opened }: LocalGround): Promise<void> {
  await opened();
  if ((await inventory.find("projects", projectId)) === undefined) return;
  const all = (await inventory.list("kube.projects")) as unknown as KubeThing[]; // seam: written by our Kubernetes API
  const left = all.find((project) => iaasProjectOf(project) === projectId);
  if (left === undefined) return;
  const message = `The project still has the cluster project \`${left.metadata.name}\`: delete it first.`;
  throw new GatewayError("conflict", message);
}
