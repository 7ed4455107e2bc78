import type { Limits } from "../shared/quota-profile.ts";
import type { Work } from "../shared/work.ts";
import type { Cloud, Wire } from "./cloud.ts";
import { isUnanswered } from "./faults.ts";
import { idOf, objectOf } from "./from-wire.ts";
import { joinProject } from "./identity.ts";
import type { OpenStackOptions } from "./options.ts";
import { type QuotaHolder, setRequest } from "./quota-names.ts";
import { leftBehind, resetQuotas, type Undo } from "./quotas.ts";

/** The field of a Keystone project that tells which call of ours made it: Keystone keeps fields that it does not know. */
const markField = "tollgate_event";

/** A project to be made. */
export interface NewProject {
  readonly name: string;
  readonly description: string | undefined;
  readonly limits: ReadonlyMap<QuotaHolder, Limits>;
  /** The id of the call; finds the project again when the answer to its making was lost. */
  readonly mark: string;
}

/** What making a project needs beside the project. */
export interface Making {
  readonly cloud: Cloud;
  readonly options: OpenStackOptions;
  readonly work: Work;
  readonly undo: Undo;
}

/**
 * Makes a project with its quotas, and gives our own user its role there; then `keep` writes the portal's record. OpenStack has no
 * transaction over services: when any step fails, the project is deleted again, and where that fails too the error says so.
 */
export async function createProject(
  project: NewProject,
  making: Making,
  keep: (wire: Wire) => Promise<void>,
): Promise<Wire> {
  const { cloud, work } = making;
  let id: string | undefined;
  try {
    const wire = await postProject(project, making);
    id = idOf(wire.id);
    for (const [holder, limits] of project.limits) await cloud.ask(setRequest(holder, id, limits), work);
    await joinProject(making, id, work);
    await keep(wire);
    return wire;
  } catch (thrown) {
    if (id !== undefined || isUnanswered(thrown)) await takeBack(project, making, { id, thrown });
    throw thrown;
  }
}

async function postProject({ name, description, mark }: NewProject, { cloud, options, work }: Making): Promise<Wire> {
  const domain_id = options.domainId ?? (await cloud.session(work)).project?.domainId ?? "default";
  const fields = { name, description: description ?? "", domain_id, enabled: true, [markField]: mark };
  const body = { project: fields };
  const answer = await cloud.ask({ service: "identity", method: "POST", path: ["projects"], body }, work);
  return objectOf(answer.project) ?? {};
}

interface Failure {
  /** Absent when Keystone's answer never came. */
  readonly id: string | undefined;
  readonly thrown: unknown;
}

async function takeBack({ name, mark }: NewProject, { cloud, undo }: Making, { id, thrown }: Failure): Promise<void> {
  let left = id;
  try {
    await undo(async (work) => {
      left = id ?? (await findMarked(cloud, { name, mark }, work));
      if (left === undefined) return;
      await resetQuotas(cloud, left, work);
      await cloud.find({ service: "identity", method: "DELETE", path: ["projects", left] }, work);
    });
  } catch {
    const which =
      left === undefined ? `A project \`${name}\` may have been made` : `The project \`${name}\` (${left}) was made`;
    throw leftBehind(thrown, `${which} and could not be deleted again: delete it by hand.`);
  }
}

/** The project that this very call has made, although its answer was lost. */
async function findMarked(
  cloud: Cloud,
  { name, mark }: { name: string; mark: string },
  work: Work,
): Promise<string | undefined> {
  const request = { service: "identity", path: ["projects"], key: "projects", query: { name } } as const;
  const found = (await cloud.list(request, work)).find((wire) => wire[markField] === mark);
  return found && idOf(found.id);
}
