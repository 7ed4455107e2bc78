import { iaasOf } from "../openstack/iaas.ts";
import { rollbacksOf } from "../openstack/rollbacks/backend.ts";
import { usageOf } from "../openstack/usage.ts";
import type { LocalContext } from "./context.ts";
import { type FaultRate, planFaults } from "./faults.ts";
import { localCloud } from "./openstack/cloud.ts";
import { localCloudContext } from "./openstack/cloud-context.ts";
import type { LocalCloudOptions } from "./options.ts";

/** `/iaas` of the embedded cloud, what it uses of its quotas, and how it fails: OpenStack's own operations over our services. */
export function infrastructureOf(context: LocalContext, options: LocalCloudOptions) {
  const cloudContext = localCloudContext(localCloud(context, context.opened), options, context.clock);
  const plan = (faults: FaultRate) => planFaults(context.inventory, faults);
  return {
    iaas: iaasOf(cloudContext),
    quotas: usageOf(cloudContext),
    rollbacks: rollbacksOf(cloudContext),
    planFaults: plan,
  };
}
