import type { StoredQuota } from "../../api/portal/quotas.ts";
import type { QuotaRow } from "../../operations/portal/tenancy/quotas.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import type { QuotaScope } from "./limits.ts";
import { checkResource } from "./scope.ts";
import { type LimitSet, setLimit } from "./set.ts";
import { createUsage, type UsedOf } from "./usage.ts";

/** What the operations on quotas need. */
export type QuotaDeps = Pick<PortalDeps, "records" | "regions">;

/** Returns a counter of the usage in the call's region. */
export function usageIn({ records, regions }: QuotaDeps, call: PortalCall): UsedOf {
  return createUsage({ records, call, source: regions[call.region]?.quotas });
}

/** Returns a quota as callers see it; undefined where there is no limit. */
export async function showQuota(record: StoredQuota, usedOf: UsedOf): Promise<QuotaRow | undefined> {
  const { reseller, client_id, resource_id, limit, quota } = record;
  if (limit === null) return undefined;
  const used = await usedOf(quota, record);
  return { reseller: reseller ?? "", client_id: client_id ?? "", resource_id: resource_id ?? "", limit, used };
}

/** Several limits of one scope. */
export interface LimitsOfScope {
  readonly scope: QuotaScope;
  readonly limits: readonly (readonly [quota: string, limit: number])[];
}

/** Sets several limits of one scope: all of them or, when one is refused, none. */
export async function setAll(deps: QuotaDeps, { scope, limits }: LimitsOfScope, call: PortalCall): Promise<QuotaRow[]> {
  await checkResource(deps.records, scope, call);
  const usedOf = usageIn(deps, call);
  const done: LimitSet[] = [];
  const now = new Date(call.now).toISOString();
  try {
    for (const [quota, limit] of limits) {
      const key = { region: call.region, quota, scope };
      done.push(await setLimit(call.records, { key, limit, used: await usedOf(quota, scope), now }));
    }
  } catch (thrown) {
    for (const { undo } of done.reverse()) await undo();
    throw thrown;
  }
  const rows = await Promise.all(done.map(({ record }) => showQuota(record, usedOf)));
  return rows.filter((row) => row !== undefined);
}
