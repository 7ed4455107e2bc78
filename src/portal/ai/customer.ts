import { hash } from "node:crypto";
import type { Customer } from "../../engine/api/governance.ts";
import { draftCustomer } from "../../engine/policy/drafts.ts";
import type { PortalCall } from "../call/call.ts";
import { readAll } from "../tenancy/record-access.ts";
import { type Tenant, tagsOf, tenantOf } from "../tenancy/tenant.ts";

/**
 * Returns the id of a tenant's customer, whose budgets bound everything the tenant has. Creates the customer at first use. Returns
 * undefined for the provider, which has none.
 */
export async function findCustomer(
  { allRecords: records, now }: Pick<PortalCall, "allRecords" | "now">,
  tenant: Tenant,
): Promise<string | undefined> {
  const tags = tagsOf(tenant);
  const name = tenant.client_id ?? tenant.reseller;
  if (name === undefined) return undefined;
  const id = `cus_${hash("sha256", JSON.stringify([tenant.reseller, tenant.client_id]), "hex").slice(0, 20)}`;
  if (await records.get("customer", id)) return id;
  const own = (await readAll(records, "customer")).find(isOf(tenant));
  if (own) return own.id;
  await records.put("customer", draftCustomer({ name: name.slice(0, 200), metadata: tags }, { id, now }), 0); // a concurrent call may store the same
  return id;
}

function isOf(tenant: Tenant) {
  return ({ metadata }: Customer) => {
    const other = tenantOf(metadata);
    return other.reseller === tenant.reseller && other.client_id === tenant.client_id;
  };
}
