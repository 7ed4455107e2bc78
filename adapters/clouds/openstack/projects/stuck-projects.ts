import type { IaasProject } from "../../../../src/operations/portal/infrastructure/iaas-resources.ts";
import type { StoredCloudRollback, StoredProjectPurge } from "../../../../src/operations/records/cloud.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";
import { withoutNothing } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { finish, stuckIn } from "../rollbacks/log.ts";

/** The id under which a stuck project is listed: its own, or that of its record where that is not known. */
function shownId({ id, steps }: StoredCloudRollback): string | undefined {
  const step = steps.find((one) => one.kind === "delete_project");
  return step && (step.project_id ?? id);
}

/** Projects that a failed creation has left, until the portal's job has deleted them. */
export async function stuckProjects(call: PortalCall): Promise<IaasProject[]> {
  return (await stuckIn(call, call.records)).flatMap((rollback) => {
    const step = rollback.steps.find((one) => one.kind === "delete_project");
    const id = shownId(rollback);
    if (step === undefined || id === undefined) return [];
    const { client_id, reseller, message } = rollback;
    const owner = { client: client_id ?? undefined, reseller: reseller ?? undefined };
    const description = message ?? undefined;
    return [
      { ...withoutNothing({ ...owner, description }), enabled: false, id, name: step.name, state: "stuck" as const },
    ];
  });
}

/** Deletes now what a failed creation has left, where the caller sees its record; true where it did. */
export async function removeStuck(cloudContext: CloudContext, projectId: string, call: PortalCall): Promise<boolean> {
  const stuck = (await stuckIn(call, call.records)).find((rollback) => shownId(rollback) === projectId);
  if (stuck === undefined) return false;
  await finish({ ...cloudContext, call }, stuck);
  return true;
}

/** How the purges of projects stand, by the projects' ids: that of a stuck one with what is left. */
export async function purgeStates({
  records,
}: PortalCall): Promise<ReadonlyMap<string, Pick<IaasProject, "state" | "description">>> {
  const purges = await readAll(records, "project_purge");
  return new Map(purges.map((purge) => [purge.id, purgeState(purge)]));
}

function purgeState({ state, left_count, message }: StoredProjectPurge): Pick<IaasProject, "state" | "description"> {
  if (state === "running") return { state: "purging" };
  const description = `The purge is stuck: ${left_count} things are left.${message === null ? "" : ` ${message}`}`;
  return { state: "stuck", description };
}
