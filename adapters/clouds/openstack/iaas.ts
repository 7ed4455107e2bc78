import { GatewayError } from "../../../src/engine/errors.ts";
import type { Domain } from "../../../src/operations/portal/infrastructure/iaas-resources.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { ProjectContents } from "../../../src/portal/project-contents.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { visibilityOf } from "../shared/visibility.ts";
import type { Cloud } from "./client/cloud.ts";
import { idOf } from "./client/from-wire.ts";
import type { CloudContext } from "./cloud-context.ts";
import { credentialCalls } from "./credentials/credential-calls.ts";
import { createDomain, readDomains, readProjects } from "./identity.ts";
import { listLoadBalancers, listNetworks, listServers, listVolumes, listVolumeTypes, listZones } from "./inventory.ts";
import { projectCalls } from "./projects/project-calls.ts";
import { resourceCalls } from "./resources/calls.ts";
import type { ListContext } from "./tenants.ts";

/** Every operation of `/iaas` over a cloud, and what it holds of projects. */
export function iaasOf(cloudContext: CloudContext): Required<AreaBackend<"iaas">> & ProjectContents {
  const look =
    <T>(list: (cloud: Cloud, looking: ListContext) => Promise<T>) =>
    (_input: unknown, call: PortalCall): Promise<T> =>
      cloudContext.run(call, async (deadline) =>
        list(cloudContext.cloud, { visibility: await visibilityOf(call), deadline, ...pageIn(call) }),
      );
  return {
    ...projectCalls(cloudContext),
    ...credentialCalls(cloudContext),
    ...resourceCalls(cloudContext),
    domains: look(listDomains),
    createDomain: ({ name }, call) =>
      cloudContext.run(call, async (deadline) => {
        await checkProvider(call);
        return { domain: await createDomain(cloudContext.cloud, name, deadline) };
      }),
    availabilityZones: look(listZones),
    servers: look(listServers),
    networks: look(listNetworks),
    loadBalancers: look(listLoadBalancers),
    volumes: look(listVolumes),
    volumeTypes: look(listVolumeTypes),
  };
}

const pageIn = ({ page, showNext }: PortalCall) => ({ page, showNext });

/** Domains have no tenant: below the provider's level those are seen that hold a project of the caller's. */
async function listDomains(cloud: Cloud, looking: ListContext): Promise<Domain[]> {
  const domains = await readDomains(cloud, looking.deadline);
  if (looking.visibility.isWhole) return domains;
  const held = new Set((await readProjects(cloud, looking)).map(({ domain_id }) => idOf(domain_id)));
  return domains.filter(({ id }) => held.has(id));
}

/** A domain lies beside all tenants, not below one. */
async function checkProvider(call: PortalCall): Promise<void> {
  const { isWhole } = await visibilityOf(call);
  if (isWhole) return;
  const message = "Domains are the provider's: only a caller of its level may make one.";
  throw new GatewayError("permission_denied", message, { param: "iaas_domains-post" });
}
