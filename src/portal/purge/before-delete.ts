import { GatewayError } from "../../engine/errors.ts";
import { areas, type RowInput } from "../../operations/portal/table.ts";
import type { StoredLeftover } from "../../operations/records/cloud.ts";
import type { PortalCall } from "../call/call.ts";
import type { Region, Regions } from "../regions.ts";
import { countByKind, readContents, withContents } from "./contents.ts";
import { requestPurge } from "./request-purge.ts";

/** A project that is about to be deleted. */
interface ProjectDeletion {
  readonly input: RowInput<"iaas.deleteProject">;
  readonly region: Region;
  readonly regions: Regions;
  readonly call: PortalCall;
}

/**
 * Throws `conflict` while something is in the infrastructure project that is to be deleted, over all areas and all regions that share its
 * Keystone, or starts its purge where that was asked for, and returns true. Throws `not_found` for a project that the caller does not see.
 */
export async function refuseOrPurge({
  input: { project_id, purge },
  region,
  regions,
  call,
}: ProjectDeletion): Promise<boolean> {
  if (purge === true && !withContents(region.iaas))
    throw new GatewayError("not_implemented", "The region's back end cannot delete what is in a project.", {
      param: "purge",
    });
  const left = await readContents({ regions, project_id, call });
  if (left.length === 0) return false;
  if (!withContents(region.iaas)) {
    const projects = await region.iaas?.projects?.({}, call);
    if (projects?.every((project) => project.id !== project_id)) return false; // the back end answers `not_found` itself
  }
  if (purge !== true) {
    const message = `The project still has ${countByKind(left, call.region)}. Delete them first, or delete the project with \`purge: true\`.`;
    throw new GatewayError("conflict", message);
  }
  refuseWithout(left, call);
  await requestPurge(project_id, left, call);
  return true;
}

/** The operations that delete the kinds of which each thing may be worth something by itself. */
const deletes: Readonly<Record<string, string>> = {
  servers: areas.iaas.deleteServer.access,
  volumes: areas.iaas.deleteVolume.access,
  loadbalancers: areas.iaas.deleteLoadBalancer.access,
  clusters: areas.clusters.deleteShoot.access,
  "cluster projects": areas.clusters.deleteProject.access,
  buckets: areas.objectstore.deleteVersions.access,
};

/** Throws `permission_denied` for a caller who could not delete by itself what a purge would. */
function refuseWithout(left: readonly StoredLeftover[], { caller }: PortalCall): void {
  const needed = new Set(left.map(({ kind }) => deletes[kind]).filter((access) => access !== undefined));
  const missing = [...needed].filter((access) => !caller.permissions.has(access));
  if (missing.length === 0) return;
  const message = `The purge of this project needs these permissions too: ${missing.join(", ")}.`;
  throw new GatewayError("permission_denied", message, { param: "purge" });
}
