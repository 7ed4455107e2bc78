import { hash } from "node:crypto";
import type { Customer } from "../../../api/governance.ts";
import { draftCustomer } from "../../../policy/record.ts";
import type { Records } from "../../../ports/records.ts";
import { readAll } from "../../shelf.ts";
import { type Tenant, tagsOf, tenantOf } from "./tenant.ts";

/**
 * The id of a tenant's customer, whose budgets hold for all that the tenant has; it is made when it is first needed. The provider
 * itself has none.
 */
export async function findCustomer(
  { records }: { readonly records: Records },
  tenant: Tenant,
  now: number,
): Promise<string | undefined> {
  const tags = tagsOf(tenant);
  const name = tenant.client_id ?? tenant.reseller;
  if (name === undefined) return undefined;
  const id = `cus_${hash("sha256", JSON.stringify([tenant.reseller, tenant.client_id]), "hex").slice(0, 20)}`;
  if (await records.get("customer", id)) return id;
  const own = (await readAll(records, "customer")).find(isOf(tenant));
  if (own) return own.id;
  await records.put("customer", draftCustomer({ name: name.slice(0, 200), metadata: tags }, { id, now }), 0); // another may be faster, with the same
  return id;
}

function isOf(tenant: Tenant) {
  return ({ metadata }: Customer) => {
    const other = tenantOf(metadata);
    return other.reseller === tenant.reseller && other.client_id === tenant.client_id;
  };
}
