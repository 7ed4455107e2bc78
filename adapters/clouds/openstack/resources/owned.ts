import { GatewayError } from "../../../../src/engine/errors.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { projectMissing, recordOf, visibilityOf } from "../../shared/visibility.ts";
import type { Wire } from "../client/cloud.ts";
import { idOf, objectOf } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { findProject } from "../identity.ts";
import { enterProject } from "../project-scope.ts";

/** A call of an operation under its deadline. */
export interface ResourceCall {
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
}

/** A server of a project that the caller sees. Throws `not_found`. */
export async function readServer({ cloud }: CloudContext, id: string, running: ResourceCall): Promise<Wire> {
  const server = objectOf((await cloud.find({ service: "compute", path: ["servers", id] }, running.deadline))?.server);
  return seen(server, { what: "server", id, projectId: idOf(server?.tenant_id) }, running);
}

/** A volume of a project that the caller sees. Throws `not_found`. */
export async function readVolume({ cloud }: CloudContext, id: string, running: ResourceCall): Promise<Wire> {
  const volume = objectOf((await cloud.find({ service: "volume", path: ["volumes", id] }, running.deadline))?.volume);
  return seen(volume, { what: "volume", id, projectId: idOf(volume?.["os-vol-tenant-attr:tenant_id"]) }, running);
}

/** A load balancer of a project that the caller sees. Throws `not_found`. */
export async function readLoadBalancer({ cloud }: CloudContext, id: string, running: ResourceCall): Promise<Wire> {
  const path = ["loadbalancers", id];
  const balancer = objectOf((await cloud.find({ service: "loadBalancer", path }, running.deadline))?.loadbalancer);
  return seen(balancer, { what: "loadbalancer", id, projectId: idOf(balancer?.project_id) }, running);
}

interface OwnedResource {
  readonly what: string;
  readonly id: string;
  readonly projectId: string;
}

async function seen(
  wire: Wire | undefined,
  { what, id, projectId }: OwnedResource,
  { call }: ResourceCall,
): Promise<Wire> {
  if (wire !== undefined && (await visibilityOf(call)).shows(projectId)) return wire;
  throw new GatewayError("not_found", `There is no ${what} \`${id}\`.`, { param: `${what}_id` });
}

/** The scope of a project that the caller names, in which something is made. Throws `not_found`. */
export async function scopeOfProject(cloudContext: CloudContext, projectId: string, { call, deadline }: ResourceCall) {
  await recordOf(projectId, call);
  if ((await findProject(cloudContext.cloud, projectId, deadline)) === undefined) throw projectMissing(projectId);
  return enterProject(cloudContext, projectId, deadline);
}
