import type { PortalCall } from "./call/call.ts";

/** Reports how much of its quotas a resource uses: only a region's back end knows that. */
export interface QuotaUsage {
  /** The amounts by the quota's name, e.g. `{ "cores": 12 }`; a missing name counts as 0. Throws `not_found` for an unknown resource. */
  used(resourceId: string, call: PortalCall): Promise<Readonly<Record<string, number>>>;
}
