import { toDollars } from "../../engine/metering/money.ts";
import { isIdOf } from "../../engine/policy/ids.ts";
import { blockedBy } from "../../engine/policy/refusal.ts";
import type { PortalTenant } from "../../operations/portal/tenancy/tenants.ts";
import type { StoredTenant } from "../../operations/records/tenants.ts";
import { readPeriod } from "../ai/costs/period.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { readAll } from "../tenancy/record-access.ts";
import { tenantsAt } from "../tenancy/tenant-state.ts";

type ShowDeps = Pick<PortalDeps, "ledger">;

/** Returns tenants with what lies at them and what they cost this month. */
export async function showTenants(
  deps: ShowDeps,
  call: PortalCall,
  tenants: readonly StoredTenant[],
): Promise<PortalTenant[]> {
  if (tenants.length === 0) return [];
  const costs = await readCosts(deps, call);
  return Promise.all(tenants.map((tenant) => showTenant({ costs, call }, tenant)));
}

interface ShowContext {
  /** Of this month, in nano-dollars, by the ids of keys. */
  readonly costs: ReadonlyMap<string, number>;
  readonly call: PortalCall;
}

async function showTenant({ costs, call }: ShowContext, tenant: StoredTenant): Promise<PortalTenant> {
  const { allRecords } = call;
  const { id, reseller, client_id, name, contact, enabled, status, deleted_at, created_at } = tenant;
  const where = client_id === null ? { reseller } : { reseller, client_id };
  const [users, keys, cost] = await Promise.all([
    allRecords.count("user", where),
    allRecords.count("key", where),
    sumCosts(call, where, costs),
  ]);
  return {
    ...{ id, level: client_id === null ? "reseller" : "client", reseller, client_id, name },
    ...(contact === undefined ? {} : { contact }),
    ...{ enabled, status, is_usable: blockedBy(await tenantsAt(allRecords, tenant), "tenant") === undefined },
    ...(deleted_at === undefined ? {} : { deleted_at }),
    ...{ created_at, users, keys, cost_this_month: toDollars(cost) },
  };
}

async function readCosts({ ledger }: ShowDeps, { now }: PortalCall): Promise<ReadonlyMap<string, number>> {
  const rows = await ledger.query({ ...readPeriod({}, now), group_by: ["key_id"] });
  return new Map(rows.flatMap(({ group: { key_id }, cost }) => (typeof key_id === "string" ? [[key_id, cost]] : [])));
}

/** The costs of the keys at a place and below, deleted ones included. */
async function sumCosts(
  { allRecords }: PortalCall,
  where: { readonly reseller: string; readonly client_id?: string },
  costs: ShowContext["costs"],
): Promise<number> {
  if (costs.size === 0) return 0;
  const keys = await readAll(allRecords, "key", where);
  const deleted = (await readAll(allRecords, "deleted_name", where)).filter(({ id }) => isIdOf("key", id));
  return [...keys, ...deleted].reduce((sum, { id }) => sum + (costs.get(id) ?? 0), 0);
}
