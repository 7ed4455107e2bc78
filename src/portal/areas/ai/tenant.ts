import type { Place, Placed } from "../../scope.ts";
import { toPlace } from "../../user.ts";

/** Whose a key or a project is: a client's, a reseller's, or the provider's own. */
export type Tenant = Omit<Place, "user_id">;

/** The tenant that something lies at. */
export function tenantOf({ reseller, client_id }: Placed): Tenant {
  return toPlace({ reseller, client_id });
}

/** A tenant as the metadata of a governance record. */
export function tagsOf({ reseller, client_id }: Tenant): Record<string, string> {
  return { ...(reseller === undefined ? {} : { reseller }), ...(client_id === undefined ? {} : { client_id }) };
}
