import type { ScopedRecord, TenantScope } from "./tenant-scope.ts";
import { toScope } from "./tenant-scope.ts";

/** The owner of a key or a project: a client, a reseller or the provider. */
export type Tenant = Omit<TenantScope, "user_id">;

/** Returns the tenant of a record. */
export function tenantOf({ reseller, client_id }: ScopedRecord): Tenant {
  return toScope({ reseller, client_id });
}

/** Returns a tenant as the metadata of a governance record. */
export function tagsOf({ reseller, client_id }: Tenant): Record<string, string> {
  return { ...(reseller === undefined ? {} : { reseller }), ...(client_id === undefined ? {} : { client_id }) };
}
