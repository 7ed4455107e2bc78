import { GatewayError } from "../../errors.ts";
import type { Records } from "../../ports/records.ts";
import type { PortalCall } from "../call.ts";
import { covers } from "../scope.ts";
import { notFound } from "../shelf.ts";
import type { QuotaPlace } from "./limits.ts";

/** What a call names as the place of a quota; empty or absent stands for the level above. */
interface Named {
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
  readonly resource_id?: string | undefined;
}

/**
 * The place of a limit that a caller may set: below its own, or the provider's own. Throws `not_found` outside its scope,
 * `permission_denied` for its own place, whose limit is set by those above it, and `invalid_request` for a client without a reseller.
 */
export function findPlace(named: Named, { caller }: PortalCall): QuotaPlace {
  const place = {
    reseller: named.reseller || null,
    client_id: named.client_id || null,
    resource_id: named.resource_id || null,
  };
  if (place.client_id !== null && place.reseller === null)
    throw new GatewayError("invalid_request", "`reseller`: is needed with `client_id`.", { param: "reseller" });
  if (!covers(caller.place, place)) throw notFound("tenant", place.client_id ?? place.reseller ?? "");
  const { reseller = null, client_id = null } = caller.place;
  const isOwn = place.reseller === reseller && place.client_id === client_id && place.resource_id === null;
  if (isOwn && reseller !== null)
    throw new GatewayError("permission_denied", "The limits of your own level are set by those above it.");
  return place;
}

/**
 * The project that a limit is for must be of the place's tenant and of the region; one that the portal does not know yet may have its
 * limit before. `records` are all. Throws `not_found` for a project outside the caller's scope, `invalid_request` for another tenant's.
 */
export async function checkResource(
  records: Records,
  { reseller, client_id, resource_id }: QuotaPlace,
  { caller, region }: PortalCall,
): Promise<void> {
  const project = resource_id === null ? undefined : (await records.get("cloud_project", resource_id))?.record;
  if (!project) return;
  if (project.region !== region || !covers(caller.place, project)) throw notFound("resource", project.id);
  const param = project.reseller !== reseller ? "reseller" : project.client_id !== client_id ? "client_id" : undefined;
  if (param !== undefined)
    throw new GatewayError("invalid_request", `\`${param}\`: the resource belongs to another tenant.`, { param });
}
