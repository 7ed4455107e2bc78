import { GatewayError } from "../../engine/errors.ts";
import type { QuotaRow } from "../../operations/portal/tenancy/quotas.ts";
import type { StoredQuota } from "../../operations/records/quotas.ts";
import type { PortalCall } from "../call/call.ts";
import { read } from "../tenancy/record-access.ts";
import { createAdoption } from "./adopt.ts";
import { type QuotaScope, quotaId } from "./limits.ts";
import type { UsageReading } from "./reading.ts";
import { checkResource } from "./scope.ts";
import { type LimitRequest, setAround, setEach } from "./set.ts";
import { createUsage, type QuotaDeps, type UsedOf } from "./usage.ts";

/** Returns a counter of the usage in the call's region. */
export function usageIn({ records, regions }: QuotaDeps, call: PortalCall, reading?: UsageReading): UsedOf {
  return createUsage({ records, call, source: regions[call.region]?.quotas, reading });
}

/** Returns a quota as callers see it; undefined where there is no limit. */
export async function showQuota(record: StoredQuota, usedOf: UsedOf): Promise<QuotaRow | undefined> {
  const { reseller, client_id, resource_id, limit, quota } = record;
  if (limit === null) return undefined;
  const used = await usedOf(quota, record);
  return { reseller: reseller ?? "", client_id: client_id ?? "", resource_id: resource_id ?? "", limit, used };
}

/** The lease under which limits are set: what a level gives is read, and then set. */
export const quotasLease = "quotas";

/** Several limits of one scope. */
export interface LimitsOfScope {
  readonly scope: QuotaScope;
  readonly limits: readonly (readonly [quota: string, limit: number])[];
}

/**
 * Sets several limits of one scope: all of them or, when one is refused, none. Those of a resource are set at the region's services too;
 * what a service refuses is not set. The first limit of a level takes in the projects that are below it.
 */
export async function setAll(deps: QuotaDeps, { scope, limits }: LimitsOfScope, call: PortalCall): Promise<QuotaRow[]> {
  await checkResource(deps.records, scope, call);
  const usedOf = usageIn(deps, call);
  const now = new Date(call.now).toISOString();
  const requests: LimitRequest[] = [];
  for (const [quota, limit] of limits) {
    const key = { region: call.region, quota, scope };
    requests.push({ key, limit, used: await usedOf(quota, scope), now });
  }
  if (scope.resource_id === null) await setLevel(deps, requests, call);
  else await setResource(deps, { resource: scope.resource_id, requests }, call);
  const records = await Promise.all(requests.map(({ key }) => read(call.records, "quota", quotaId(key))));
  const rows = await Promise.all(records.map((record) => showQuota(record, usedOf)));
  return rows.filter((row) => row !== undefined);
}

async function setLevel(deps: QuotaDeps, requests: readonly LimitRequest[], call: PortalCall): Promise<void> {
  const adopt = createAdoption(deps, call);
  const all: LimitRequest[] = [];
  for (const request of requests) all.push(request, ...(await adopt(request)));
  await setEach(call.records, all);
}

interface ResourceRequests {
  readonly resource: string;
  readonly requests: readonly LimitRequest[];
}

async function setResource({ regions }: QuotaDeps, { resource, requests }: ResourceRequests, call: PortalCall) {
  const source = regions[call.region]?.quotas;
  const set = source?.set?.bind(source);
  if (!set) {
    const message = `No back end of the region \`${call.region}\` sets the limits of a resource: none would be enforced.`;
    throw new GatewayError("not_implemented", message);
  }
  const limits = Object.fromEntries(requests.map(({ key, limit }) => [key.quota, limit]));
  await setAround(call.records, requests, () => set(resource, limits, call));
}
