import { GatewayError } from "../../../src/engine/errors.ts";
import type { StoredCloudProject } from "../../../src/operations/records/cloud.ts";
import { type PortalCall, scopeAt } from "../../../src/portal/call/call.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { contains, depthOf } from "../../../src/portal/tenancy/tenant-scope.ts";

/** Which projects of a region a caller sees. Tenants are the portal's: the cloud itself shows everything to our token. */
export interface Visibility {
  /** True at the provider's level, which also sees projects that the portal has no record of. */
  readonly isWhole: boolean;
  /** The portal's records of the projects that the caller sees, by the project's id. */
  readonly projects: ReadonlyMap<string, StoredCloudProject>;
  shows(projectId: string): boolean;
}

/** What the caller sees in the region of the call. */
export async function visibilityOf({ caller, records, projectRegions }: PortalCall): Promise<Visibility> {
  const isWhole = depthOf(caller.scope) === 0;
  const stored = (await readAll(records, "cloud_project")).filter(({ region }) => projectRegions.has(region));
  const projects = new Map(stored.map((record) => [record.id, record] as const));
  return { isWhole, projects, shows: (id) => isWhole || projects.has(id) };
}

/**
 * The portal's record of a project, if it has one. Throws `not_found` for a project of another region, and below the provider's level
 * for one outside the caller's scope.
 */
export async function recordOf(
  projectId: string,
  { caller, records, projectRegions }: PortalCall,
): Promise<StoredCloudProject | undefined> {
  const stored = await records.get("cloud_project", projectId);
  const isForeign = stored === undefined ? depthOf(caller.scope) > 0 : !projectRegions.has(stored.record.region);
  if (isForeign) throw projectMissing(projectId);
  return stored?.record;
}

/** The error of a project that is not there, or not in the caller's scope. */
export function projectMissing(projectId: string): GatewayError {
  return new GatewayError("not_found", `There is no project \`${projectId}\`.`, { param: "project_id" });
}

/** Whose a new project is. */
export interface ProjectOwner {
  readonly reseller: string | null;
  readonly client_id: string | null;
  readonly user_id: string | null;
}

/**
 * The owner that a caller names for a project, its own place where it names none. Throws `not_found` for one outside its scope, and
 * `invalid_request` for a client without its reseller, below whom nobody would find the project.
 */
export function ownerOf(
  named: { reseller?: string | undefined; client?: string | undefined },
  { caller }: PortalCall,
): ProjectOwner {
  const own = scopeAt(caller.scope);
  const owner = { ...own, reseller: named.reseller ?? own.reseller, client_id: named.client ?? own.client_id };
  if (owner.client_id !== null && owner.reseller === null)
    throw new GatewayError("invalid_request", "`reseller`: is needed with `client`.", { param: "reseller" });
  if (contains(caller.scope, owner)) return owner;
  const param = contains({ reseller: caller.scope.reseller }, owner) ? "client" : "reseller";
  throw new GatewayError("not_found", `There is no such ${param} below the caller's place.`, { param });
}
