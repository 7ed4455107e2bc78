import type { OperationDeadline } from "../../shared/deadline.ts";
import type { QuotaLimits } from "../../shared/quota-profile.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf } from "../client/from-wire.ts";
import type { OpenStackOptions } from "../client/options.ts";
import { joinProject } from "../identity.ts";
import { type QuotaHolder, setRequest } from "../quotas/quota-names.ts";
import { orphanError, resetQuotas, type Undo } from "../quotas/quotas.ts";

/** The field of a Keystone project that tells which call of ours made it: Keystone keeps fields that it does not know. */
const markField = "tollgate_event";

/** A project to be made. */
export interface NewProject {
  readonly name: string;
  readonly description: string | undefined;
  readonly limits: ReadonlyMap<QuotaHolder, QuotaLimits>;
  /** The id of the call; finds the project again when the answer to its making was lost. */
  readonly mark: string;
}

/** What making a project needs beside the project. */
export interface ProjectCreation {
  readonly cloud: Cloud;
  readonly options: OpenStackOptions;
  readonly deadline: OperationDeadline;
  readonly undo: Undo;
}

/**
 * Makes a project with its quotas, and gives our own user its role there; then `keep` writes the portal's record. OpenStack has no
 * transaction over services: when any step fails, the project is deleted again, and where that fails too the error says so.
 */
export async function createProject(
  project: NewProject,
  making: ProjectCreation,
  save: (wire: Wire) => Promise<void>,
): Promise<Wire> {
  const { cloud, deadline } = making;
  let id: string | undefined;
  try {
    const wire = await postProject(project, making);
    id = idOf(wire.id);
    for (const [holder, limits] of project.limits) await cloud.ask(setRequest(holder, id, limits), deadline);
    await joinProject(making, id, deadline);
    await save(wire);
    return wire;
  } catch (thrown) {
    if (id !== undefined || isUnanswered(thrown)) await takeBack(project, making, { id, thrown });
    throw thrown;
  }
}

async function postProject(
  { name, description, mark }: NewProject,
  { cloud, options, deadline }: ProjectCreation,
): Promise<Wire> {
  const domain_id = options.domainId ?? (await cloud.session(deadline)).project?.domainId ?? "default";
  const fields = { name, description: description ?? "", domain_id, enabled: true, [markField]: mark };
  const body = { project: fields };
  const answer = await cloud.ask({ service: "identity", method: "POST", path: ["projects"], body }, deadline);
  return objectOf(answer.project) ?? {};
}

interface CreationFailure {
  /** Absent when Keystone's answer never came. */
  readonly id: string | undefined;
  readonly thrown: unknown;
}

async function takeBack(
  { name, mark }: NewProject,
  { cloud, undo }: ProjectCreation,
  { id, thrown }: CreationFailure,
): Promise<void> {
  let left = id;
  try {
    await undo(async (deadline) => {
      left = id ?? (await findMarked(cloud, { name, mark }, deadline));
      if (left === undefined) return;
      await resetQuotas(cloud, left, deadline);
      await cloud.find({ service: "identity", method: "DELETE", path: ["projects", left] }, deadline);
    });
  } catch {
    const which =
      left === undefined ? `A project \`${name}\` may have been made` : `The project \`${name}\` (${left}) was made`;
    throw orphanError(thrown, `${which} and could not be deleted again: delete it by hand.`);
  }
}

/** The project that this very call has made, although its answer was lost. */
async function findMarked(
  cloud: Cloud,
  { name, mark }: { name: string; mark: string },
  deadline: OperationDeadline,
): Promise<string | undefined> {
  const request = { service: "identity", path: ["projects"], key: "projects", query: { name } } as const;
  const found = (await cloud.list(request, deadline)).find((wire) => wire[markField] === mark);
  return found && idOf(found.id);
}
