import type { StoredQuota } from "../../api/portal/quotas.ts";
import type { QuotaRow } from "../../operations/portal/quotas.ts";
import type { AreaTools } from "../area.ts";
import type { PortalCall } from "../call.ts";
import type { QuotaPlace } from "./limits.ts";
import { checkResource } from "./place.ts";
import { type LimitSet, setLimit } from "./set.ts";
import { createUsage, type UsedOf } from "./usage.ts";

/** What quotas are made of. */
export type QuotaTools = Pick<AreaTools, "records" | "regions">;

/** Counts what is used in the region of a call. */
export function usageIn({ records, regions }: QuotaTools, call: PortalCall): UsedOf {
  return createUsage({ records, call, source: regions[call.region]?.quotas });
}

/** A quota as it is shown; undefined where nothing limits. */
export async function showQuota(record: StoredQuota, usedOf: UsedOf): Promise<QuotaRow | undefined> {
  const { reseller, client_id, resource_id, limit, quota } = record;
  if (limit === null) return undefined;
  const used = await usedOf(quota, record);
  return { reseller: reseller ?? "", client_id: client_id ?? "", resource_id: resource_id ?? "", limit, used };
}

/** Several limits of one place. */
export interface Limits {
  readonly place: QuotaPlace;
  readonly limits: readonly (readonly [quota: string, limit: number])[];
}

/** Sets several limits of one place: all of them, or none. */
export async function setAll(tools: QuotaTools, { place, limits }: Limits, call: PortalCall): Promise<QuotaRow[]> {
  await checkResource(tools.records, place, call);
  const usedOf = usageIn(tools, call);
  const done: LimitSet[] = [];
  const now = new Date(call.now).toISOString();
  try {
    for (const [quota, limit] of limits) {
      const key = { region: call.region, quota, place };
      done.push(await setLimit(call.records, { key, limit, used: await usedOf(quota, place), now }));
    }
  } catch (thrown) {
    for (const { undo } of done.reverse()) await undo();
    throw thrown;
  }
  const rows = await Promise.all(done.map(({ record }) => showQuota(record, usedOf)));
  return rows.filter((row) => row !== undefined);
}
