import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { StoredBackupAssignment } from "../../operations/records/backups.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { notFound, readAll } from "../tenancy/record-access.ts";
import { type CloudView, viewCloud, volumesOf } from "./inventory/cloud.ts";
import { nextDue, planBackup } from "./planning/plan.ts";
import { type BackupPlanPolicy, findPolicy } from "./planning/policy.ts";
import { policiesOf } from "./policies/known.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";

type ResourceType = StoredBackupAssignment["resource_type"];

/** The resource to protect. */
interface ProtectionRequest {
  readonly resource_id: string;
  readonly resource_type: ResourceType;
  readonly project_id: string | null;
  /** The volumes of the resource; for a volume, the volume itself. */
  readonly volumes: readonly { readonly id: string; readonly project_id: string | null }[];
}

const types: ReadonlyMap<string, ResourceType> = new Map([
  ["volume", "volume"],
  ["vm", "vm"],
  ["server", "vm"],
  ["project", "project"],
]);

/**
 * Assigns a policy to a resource; for a machine or a project, to each of its volumes. Throws `not_found` for a resource that the caller
 * does not see, `conflict` when the policy is already assigned.
 */
export async function assign(
  deps: BackupDeps,
  input: { policy_id: string; resource_id: string; resource_type: string; starting_hour: number },
  call: PortalCall,
): Promise<void> {
  if (!deps.regions[call.region]?.backups) {
    throw new GatewayError("not_implemented", `No back end makes backups in the region \`${call.region}\`.`);
  }
  const policy = findPolicy(await policiesOf(deps, call), input.policy_id);
  const type = types.get(input.resource_type);
  if (type === undefined) {
    const known = [...types.keys()].join(", ");
    throw new GatewayError("invalid_request", `\`resource_type\`: must be one of ${known}.`, {
      param: "resource_type",
    });
  }
  const request = findProtectable(await viewCloud(deps.regions, call), type, input.resource_id);
  const { starting_hour } = input;
  const group = { policy, starting_hour, ...request, parent: null };
  if (type !== "volume") await refuseTwice(call, group);
  for (const volume of request.volumes) {
    const parent = type === "volume" ? null : request.resource_id;
    const own = {
      policy,
      starting_hour,
      resource_id: volume.id,
      resource_type: "volume",
      project_id: volume.project_id,
    } as const;
    await addAssignment(call, { ...own, parent });
  }
  // last, so that an interrupted call can be repeated: from here on a repetition is a conflict
  if (type !== "volume") await addAssignment(call, group);
}

/** Throws `conflict` for a policy that is already assigned to the resource. */
async function refuseTwice({ records, region }: PortalCall, { policy, ...resource }: NewAssignment): Promise<void> {
  const present = await records.get("backup_assignment", assignmentId(region, resource.resource_id, policy));
  if (present) throw isOn(policy, resource);
}

function isOn(
  policy: BackupPlanPolicy,
  { resource_type, resource_id }: Pick<NewAssignment, "resource_type" | "resource_id">,
) {
  const message = `The policy \`${policy.id}\` is already assigned to the ${resource_type} \`${resource_id}\`.`;
  return new GatewayError("conflict", message);
}

function assignmentId(region: string, resourceId: string, { id }: BackupPlanPolicy): string {
  return `bka_${hash("sha256", JSON.stringify([region, resourceId, id]), "hex").slice(0, 24)}`;
}

/** Assigns the policies of machines and projects to volumes that were added since. */
export async function refresh(deps: BackupDeps, call: PortalCall): Promise<void> {
  const view = await viewCloud(deps.regions, call);
  const assignments = await readAll(call.records, "backup_assignment");
  const policies = await policiesOf(deps, call);
  for (const group of assignments.filter(
    ({ resource_type, region }) => resource_type !== "volume" && region === call.region,
  )) {
    const policy = policies.get(group.policy_id);
    const known = view[group.resource_type === "vm" ? "servers" : "projects"].some(
      ({ id }) => id === group.resource_id,
    );
    if (!policy || !known) continue;
    const { starting_hour, resource_id: parent } = group;
    for (const { id, project_id } of findProtectable(view, group.resource_type, parent).volumes) {
      const own = { policy, starting_hour, resource_id: id, resource_type: "volume", project_id, parent } as const;
      if (!assignments.some((each) => each.resource_id === id && each.policy_id === policy.id))
        await addAssignment(call, own);
    }
  }
}

function findProtectable(view: CloudView, type: ResourceType, id: string): ProtectionRequest {
  const lists = { volume: view.volumes, vm: view.servers, project: view.projects };
  const found = lists[type].find((each) => each.id === id);
  if (!found) throw notFound(type, id);
  if (type === "project") {
    const volumes = view.volumes.filter(({ project_id }) => project_id === id);
    return { resource_id: id, resource_type: type, project_id: id, volumes };
  }
  const project_id = "project_id" in found && found.project_id !== undefined ? found.project_id : null;
  const volumes = type === "vm" ? volumesOf(view, id) : [{ id, project_id }];
  return { resource_id: id, resource_type: type, project_id, volumes };
}

interface NewAssignment {
  readonly policy: BackupPlanPolicy;
  readonly starting_hour: number;
  readonly resource_id: string;
  readonly resource_type: ResourceType;
  readonly project_id: string | null;
  readonly parent: string | null;
}

/** Writes an assignment and its next backup. Leaves a volume with that policy unchanged, unless the call named the volume itself. */
async function addAssignment(call: PortalCall, resource: NewAssignment): Promise<void> {
  const { policy, starting_hour, resource_id, resource_type, project_id, parent } = resource;
  const { records, region, now } = call;
  const owner = project_id === null ? undefined : (await records.get("cloud_project", project_id))?.record;
  const scope = owner ?? scopeAt(call.caller.scope);
  const assignment: StoredBackupAssignment = {
    id: assignmentId(region, resource_id, policy),
    created_at: new Date(now).toISOString(),
    ...{ reseller: scope.reseller, client_id: scope.client_id, user_id: scope.user_id ?? null },
    ...{ region, policy_id: policy.id, resource_id, resource_type, project_id, starting_hour, runs: 0 },
    protected_resource_id: parent,
    next_at: resource_type === "volume" ? nextDue(policy, starting_hour, now) : null,
  };
  const outcome = await records.put("backup_assignment", assignment, 0);
  if (outcome.kind === "moved" && parent === null) throw isOn(policy, resource);
  if (outcome.kind !== "stored" || assignment.next_at === null) return;
  await records.put("backup", planBackup(assignment, assignment.next_at, policy), 0);
}
