import { hash } from "node:crypto";
import type { StoredBackupAssignment } from "../../api/portal/backups.ts";
import { GatewayError } from "../../errors.ts";
import { type PortalCall, placeAt } from "../call.ts";
import { notFound, readAll } from "../shelf.ts";
import { type CloudView, viewCloud, volumesOf } from "./cloud.ts";
import { nextDue, planBackup } from "./plan.ts";
import { findPolicy, type Policy } from "./policy.ts";
import type { Works } from "./works.ts";

type ResourceType = StoredBackupAssignment["resource_type"];

/** What is to be protected. */
interface Wish {
  readonly resource_id: string;
  readonly resource_type: ResourceType;
  readonly project_id: string | null;
  /** The volumes that it stands for; a volume stands for itself. */
  readonly volumes: readonly { readonly id: string; readonly project_id: string | null }[];
}

const types: ReadonlyMap<string, ResourceType> = new Map([
  ["volume", "volume"],
  ["vm", "vm"],
  ["server", "vm"],
  ["project", "project"],
]);

/**
 * Puts a resource under a policy. Throws `not_found` for what the caller does not see, `conflict` when the policy is on it already. A machine
 * or a project stands for its volumes.
 */
export async function assign(
  works: Works,
  input: { policy_id: string; resource_id: string; resource_type: string; starting_hour: number },
  call: PortalCall,
): Promise<void> {
  if (!works.regions[call.region]?.backups) {
    throw new GatewayError("not_implemented", `No back end makes backups in the region \`${call.region}\`.`);
  }
  const policy = findPolicy(works.policies, input.policy_id);
  const type = types.get(input.resource_type);
  if (type === undefined) {
    const known = [...types.keys()].join(", ");
    throw new GatewayError("invalid_request", `\`resource_type\`: must be one of ${known}.`, {
      param: "resource_type",
    });
  }
  const wish = findWish(await viewCloud(works.regions, call), type, input.resource_id);
  const { starting_hour } = input;
  const group = { policy, starting_hour, ...wish, parent: null };
  if (type !== "volume") await refuseTwice(call, group);
  for (const volume of wish.volumes) {
    const parent = type === "volume" ? null : wish.resource_id;
    const own = {
      policy,
      starting_hour,
      resource_id: volume.id,
      resource_type: "volume",
      project_id: volume.project_id,
    } as const;
    await addAssignment(call, { ...own, parent });
  }
  // last, so that who was cut off before may ask again: from now on that is a conflict
  if (type !== "volume") await addAssignment(call, group);
}

/** Throws `conflict` for a policy that is on the resource already. */
async function refuseTwice({ records, region }: PortalCall, { policy, ...wanted }: NewAssignment): Promise<void> {
  const present = await records.get("backup_assignment", assignmentId(region, wanted.resource_id, policy));
  if (present) throw isOn(policy, wanted);
}

function isOn(policy: Policy, { resource_type, resource_id }: Pick<NewAssignment, "resource_type" | "resource_id">) {
  const message = `The policy \`${policy.id}\` is on ${resource_type} \`${resource_id}\` already.`;
  return new GatewayError("conflict", message);
}

function assignmentId(region: string, resourceId: string, { id }: Policy): string {
  return `bka_${hash("sha256", JSON.stringify([region, resourceId, id]), "hex").slice(0, 24)}`;
}

/** Puts the volumes under their machines' and projects' policies that have come since. */
export async function refresh(works: Works, call: PortalCall): Promise<void> {
  const view = await viewCloud(works.regions, call);
  const assignments = await readAll(call.records, "backup_assignment");
  for (const group of assignments.filter(
    ({ resource_type, region }) => resource_type !== "volume" && region === call.region,
  )) {
    const policy = works.policies.get(group.policy_id);
    const known = view[group.resource_type === "vm" ? "servers" : "projects"].some(
      ({ id }) => id === group.resource_id,
    );
    if (!policy || !known) continue;
    const { starting_hour, resource_id: parent } = group;
    for (const { id, project_id } of findWish(view, group.resource_type, parent).volumes) {
      const own = { policy, starting_hour, resource_id: id, resource_type: "volume", project_id, parent } as const;
      if (!assignments.some((each) => each.resource_id === id && each.policy_id === policy.id))
        await addAssignment(call, own);
    }
  }
}

function findWish(view: CloudView, type: ResourceType, id: string): Wish {
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
  readonly policy: Policy;
  readonly starting_hour: number;
  readonly resource_id: string;
  readonly resource_type: ResourceType;
  readonly project_id: string | null;
  readonly parent: string | null;
}

/** Writes an assignment and the backup that it waits for. A volume that is under the policy already stays as it is, unless it was named itself. */
async function addAssignment(call: PortalCall, wanted: NewAssignment): Promise<void> {
  const { policy, starting_hour, resource_id, resource_type, project_id, parent } = wanted;
  const { records, region, now } = call;
  const owner = project_id === null ? undefined : (await records.get("cloud_project", project_id))?.record;
  const place = owner ?? placeAt(call.caller.place);
  const assignment: StoredBackupAssignment = {
    id: assignmentId(region, resource_id, policy),
    created_at: new Date(now).toISOString(),
    ...{ reseller: place.reseller, client_id: place.client_id, user_id: place.user_id ?? null },
    ...{ region, policy_id: policy.id, resource_id, resource_type, project_id, starting_hour, runs: 0 },
    protected_resource_id: parent,
    next_at: resource_type === "volume" ? nextDue(policy, starting_hour, now) : null,
  };
  const outcome = await records.put("backup_assignment", assignment, 0);
  if (outcome.kind === "moved" && parent === null) throw isOn(policy, wanted);
  if (outcome.kind !== "stored" || assignment.next_at === null) return;
  await records.put("backup", planBackup(assignment, assignment.next_at, policy), 0);
}
