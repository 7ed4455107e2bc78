import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { PortalCall } from "../call/call.ts";
import { notFound } from "../tenancy/record-access.ts";
import { contains, type ScopedRecord, scopeOf } from "../tenancy/tenant-scope.ts";
import type { Owner } from "./counted-operations.ts";
import type { QuotaScope } from "./limits.ts";

/** The scope of a quota as a call names it; an empty or absent field means the level above. */
interface QuotaScopeInput {
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
  readonly resource_id?: string | undefined;
}

/**
 * Returns the scope of a limit that the caller may set: one below its own, or the provider's. Throws `not_found` outside the caller's
 * scope, `permission_denied` for the caller's own level, and `invalid_request` for a client without a reseller; `param` is the field
 * that names it.
 */
export function findScope(
  named: QuotaScopeInput,
  { caller }: PortalCall,
  param: "reseller" | "reseller_name" = "reseller",
): QuotaScope {
  const scope = {
    reseller: named.reseller || null,
    client_id: named.client_id || null,
    resource_id: named.resource_id || null,
  };
  if (scope.client_id !== null && scope.reseller === null)
    throw new GatewayError("invalid_request", `\`${param}\`: is required with \`client_id\`.`, { param });
  if (!contains(caller.scope, scope)) throw notFound("tenant", scope.client_id ?? scope.reseller ?? "");
  const { reseller = null, client_id = null } = caller.scope;
  const isOwn = scope.reseller === reseller && scope.client_id === client_id && scope.resource_id === null;
  if (isOwn && reseller !== null)
    throw new GatewayError("permission_denied", "Only a level above your own can set the limits of your level.");
  return scope;
}

/**
 * Checks that the project of a limit belongs to the scope's tenant and to the region. A project that the portal does not know yet may
 * have a limit. Needs all records. Throws `not_found` outside the caller's scope, `invalid_request` for another tenant's project.
 */
export async function checkResource(
  records: Records,
  { reseller, client_id, resource_id }: QuotaScope,
  { caller, projectRegions }: PortalCall,
): Promise<void> {
  const project = resource_id === null ? undefined : (await records.get("cloud_project", resource_id))?.record;
  if (!project) return;
  if (!projectRegions.has(project.region) || !contains(caller.scope, project)) throw notFound("resource", project.id);
  const param = project.reseller !== reseller ? "reseller" : project.client_id !== client_id ? "client_id" : undefined;
  if (param !== undefined)
    throw new GatewayError("invalid_request", `\`${param}\`: the resource belongs to another tenant.`, { param });
}

/** The scope of what an operation creates: of its project or user, else the one that the input names, else the caller's. */
export async function scopeOfOwner(owner: Owner, { records, caller }: PortalCall): Promise<QuotaScope> {
  const user = owner.user_id === undefined ? undefined : await records.get("user", owner.user_id);
  const project = owner.project_id === undefined ? undefined : await records.get("project", owner.project_id);
  const record: ScopedRecord | undefined = project ? scopeOf("project", project.record) : user?.record;
  return {
    reseller: record?.reseller || owner.reseller || caller.scope.reseller || null,
    client_id: record?.client_id || owner.client_id || caller.scope.client_id || null,
    resource_id: null,
  };
}
