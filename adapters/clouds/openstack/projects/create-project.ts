import type { TakeBackStep } from "../../../../src/operations/records/cloud.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { QuotaLimits } from "../../shared/quota-profile.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf } from "../client/from-wire.ts";
import type { OpenStackOptions } from "../client/options.ts";
import { joinProject } from "../identity.ts";
import { type QuotaHolder, setRequest } from "../quotas/quota-names.ts";
import { isTaken, type RollbackLog } from "../rollbacks/log.ts";
import { markField } from "../rollbacks/steps.ts";

/** A project to be made. */
export interface NewProject {
  readonly name: string;
  readonly description: string | undefined;
  readonly limits: ReadonlyMap<QuotaHolder, QuotaLimits>;
  /** The id of the call; finds the project again when the answer to its making was lost. */
  readonly mark: string;
  /** Takes back what a failed creation has left under the name; false where there is nothing. */
  freeName(): Promise<boolean>;
}

/** What making a project needs beside the project. */
export interface ProjectCreation {
  readonly cloud: Cloud;
  readonly options: OpenStackOptions;
  readonly deadline: OperationDeadline;
  readonly rollbacks: RollbackLog;
}

/**
 * Makes a project with its quotas, and gives our own user its role there; then `save` writes the portal's record. OpenStack has no
 * transaction over services: what would be left is recorded first, and when any step fails, the project is deleted again, now or by a job.
 */
export async function createProject(
  project: NewProject,
  making: ProjectCreation,
  save: (wire: Wire) => Promise<void>,
): Promise<Wire> {
  const { cloud, deadline, rollbacks } = making;
  const { name, mark } = project;
  const stepOf = (project_id: string | null): TakeBackStep => ({ kind: "delete_project", project_id, name, mark });
  await rollbacks.begin([stepOf(null)]);
  let id: string | undefined;
  try {
    const wire = await postProject(project, making);
    id = idOf(wire.id);
    for (const [holder, limits] of project.limits) await cloud.ask(setRequest(holder, id, limits), deadline);
    await joinProject(making, id, deadline);
    await save(wire);
    await rollbacks.clear();
    return wire;
  } catch (thrown) {
    const which =
      id === undefined ? `A project \`${name}\` may have been made` : `The project \`${name}\` (${id}) was made`;
    const failure = { thrown, what: `${which} and could not be deleted again.` };
    if (id !== undefined || isUnanswered(thrown)) await rollbacks.takeBack([stepOf(id ?? null)], failure);
    else await rollbacks.clear();
    throw thrown;
  }
}

/** A name that only a failed creation holds is free. */
async function postProject(project: NewProject, making: ProjectCreation): Promise<Wire> {
  try {
    return await post(project, making);
  } catch (thrown) {
    if (isTaken(thrown) && (await project.freeName())) return post(project, making);
    throw thrown;
  }
}

async function post(
  { name, description, mark }: NewProject,
  { cloud, options, deadline }: ProjectCreation,
): Promise<Wire> {
  const domain_id = options.domainId ?? (await cloud.session(deadline)).project?.domainId ?? "default";
  const fields = { name, description: description ?? "", domain_id, enabled: true, [markField]: mark };
  const body = { project: fields };
  const answer = await cloud.ask({ service: "identity", method: "POST", path: ["projects"], body }, deadline);
  return objectOf(answer.project) ?? {};
}
