import { GatewayError } from "../../../src/errors.ts";
import type { Domain } from "../../../src/operations/portal/resources/iaas.ts";
import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { sightOf } from "../shared/sight.ts";
import type { Cloud } from "./cloud.ts";
import { credentialCalls } from "./credential-calls.ts";
import { idOf } from "./from-wire.ts";
import { createDomain, readDomains, readProjects } from "./identity.ts";
import { listLoadBalancers, listNetworks, listServers, listVolumes, listVolumeTypes, listZones } from "./inventory.ts";
import { projectCalls } from "./project-calls.ts";
import { quotaCalls } from "./quota-calls.ts";
import type { Site } from "./site.ts";
import type { Looking } from "./tenants.ts";

/** Every operation of `/iaas` over a cloud. */
export function iaasOf(site: Site): Required<AreaBackend<"iaas">> {
  const look =
    <T>(list: (cloud: Cloud, looking: Looking) => Promise<T>) =>
    (_input: unknown, call: PortalCall): Promise<T> =>
      site.run(call, async (work) => list(site.cloud, { sight: await sightOf(call), work }));
  return {
    ...projectCalls(site),
    ...quotaCalls(site),
    ...credentialCalls(site),
    domains: look(listDomains),
    createDomain: ({ name }, call) =>
      site.run(call, async (work) => {
        await checkProvider(call);
        return { domain: await createDomain(site.cloud, name, work) };
      }),
    availabilityZones: look(listZones),
    servers: look(listServers),
    networks: look(listNetworks),
    loadBalancers: look(listLoadBalancers),
    volumes: look(listVolumes),
    volumeTypes: look(listVolumeTypes),
  };
}

/** Domains have no tenant: below the provider's level those are seen that hold a project of the caller's. */
async function listDomains(cloud: Cloud, looking: Looking): Promise<Domain[]> {
  const domains = await readDomains(cloud, looking.work);
  if (looking.sight.isWhole) return domains;
  const held = new Set((await readProjects(cloud, looking)).map(({ domain_id }) => idOf(domain_id)));
  return domains.filter(({ id }) => held.has(id));
}

/** A domain lies beside all tenants, not below one. */
async function checkProvider(call: PortalCall): Promise<void> {
  const { isWhole } = await sightOf(call);
  if (isWhole) return;
  const message = "Domains are the provider's: only a caller of its level may make one.";
  throw new GatewayError("permission_denied", message, { param: "iaas_domains-post" });
}
