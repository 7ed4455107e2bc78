import { iaasOf } from "../openstack/iaas.ts";
import { usageOf } from "../openstack/usage.ts";
import { localCloud } from "./cloud.ts";
import type { LocalGround } from "./ground.ts";
import type { LocalOptions } from "./options.ts";
import { localSite } from "./site.ts";

/** `/iaas` of the embedded cloud, and what it uses of its quotas: OpenStack's own operations over our services. */
export function infrastructureOf(ground: LocalGround, options: LocalOptions) {
  const site = localSite(localCloud(ground, ground.opened), options, ground.clock);
  return { iaas: iaasOf(site), quotas: usageOf(site) };
}
