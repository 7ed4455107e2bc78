import { GatewayError } from "../../engine/errors.ts";
import { tenantIdOf, tenantIdsAt } from "../../engine/policy/ids.ts";
import { blockedBy } from "../../engine/policy/refusal.ts";
import type { Records } from "../../engine/ports/records.ts";
import { notFound } from "./record-access.ts";
import { contains, type ScopedRecord, type TenantScope } from "./tenant-scope.ts";

/** Returns the tenants that a place lies in, of its reseller and of its client, as far as they are known. */
export async function tenantsAt(records: Records, place: ScopedRecord) {
  const found = await Promise.all(tenantIdsAt(place).map(async (id) => (await records.get("tenant", id))?.record));
  return found.filter((tenant) => tenant !== undefined);
}

/** Returns the refusal of a user whose tenant, or the reseller of it, is disabled or in the bin; undefined where none is. */
export async function refuseTenant(records: Records, place: ScopedRecord): Promise<GatewayError | undefined> {
  const message = blockedBy(await tenantsAt(records, place), "user");
  return message === undefined ? undefined : new GatewayError("token_not_found", message, { param: "tenant" });
}

/** What a place is checked with: the caller, and the records of all tenants. */
interface PlaceCheck {
  readonly caller: { readonly scope: TenantScope };
  readonly allRecords: Records;
}

/** Throws `not_found` for a place outside the caller's scope, and for one that names a tenant that does not exist or is in the bin. */
export async function checkTenant({ caller, allRecords }: PlaceCheck, place: ScopedRecord): Promise<void> {
  const { reseller, client_id } = place;
  if (!contains(caller.scope, place)) throw notFound("tenant", client_id ?? reseller ?? "");
  if (typeof reseller !== "string") return;
  const named = [
    { param: "reseller", name: reseller, id: tenantIdOf(reseller) },
    ...(typeof client_id === "string"
      ? [{ param: "client_id", name: client_id, id: tenantIdOf(reseller, client_id) }]
      : []),
  ];
  for (const { param, name, id } of named) {
    const tenant = (await allRecords.get("tenant", id))?.record;
    if (tenant?.status === "active") continue;
    const what = param === "reseller" ? "reseller" : `client of \`${reseller}\``;
    const problem = tenant
      ? `The ${what} \`${name}\` is deleted. Restore it first.`
      : `There is no ${what} \`${name}\`. Create the tenant first.`;
    throw new GatewayError("not_found", problem, { param });
  }
}
