import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { TakeBackStep } from "../../../../src/operations/records/cloud.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud } from "../client/cloud.ts";
import { idOf, objectOf } from "../client/from-wire.ts";
import { resetQuotas } from "../quotas/quotas.ts";

/** The field of a Keystone project that tells which call of ours made it: Keystone keeps fields that it does not know. */
export const markField = "tollgate_event";

/** The same of the call that has disabled it for its deletion. */
export const disabledField = "tollgate_disabled";

/** Takes one step; what is gone already is no failure. `isWanted` says of a project that it was made after all. */
export async function takeStep(
  cloud: Cloud,
  step: TakeBackStep,
  { deadline, isWanted }: StepContext,
): Promise<{ readonly removed?: string }> {
  if (step.kind === "delete_project") {
    const id = step.project_id ?? (await findMarked(cloud, step, deadline));
    if (id === undefined || (await isWanted(id))) return {};
    await removeProject(cloud, id, deadline);
    return { removed: id };
  }
  if (step.kind === "enable_project") {
    await enableProject(cloud, step, deadline);
    return {};
  }
  const path = step.kind === "delete_user" ? await userPath(cloud, step, deadline) : step.path;
  if (path !== undefined && !(await isInUse(cloud, path, deadline)))
    await cloud.find({ service: "identity", method: "DELETE", path }, deadline);
  return {};
}

/** Enables a project that the marked call has disabled; one that somebody else has disabled stays so. */
async function enableProject(
  cloud: Cloud,
  { project_id, mark }: Extract<TakeBackStep, { kind: "enable_project" }>,
  deadline: OperationDeadline,
): Promise<void> {
  const path = ["projects", project_id];
  const project = objectOf((await cloud.find({ service: "identity", path }, deadline))?.project);
  if (project === undefined || project.enabled === true) return;
  if (mark !== undefined && project[disabledField] !== mark) return;
  const body = { project: { enabled: true, [disabledField]: null } };
  await cloud.find({ service: "identity", method: "PATCH", path, body }, deadline);
}

/** What a step is taken with. */
export interface StepContext {
  readonly deadline: OperationDeadline;
  isWanted(projectId: string): Promise<boolean>;
}

/** Keystone first: that does not depend on the service that may have failed. Limits of a project that is gone bind nothing. */
async function removeProject(cloud: Cloud, id: string, deadline: OperationDeadline): Promise<void> {
  await cloud.find({ service: "identity", method: "DELETE", path: ["projects", id] }, deadline);
  try {
    await resetQuotas(cloud, id, deadline);
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
  }
}

/** The project that one call has made, although its answer was lost. */
async function findMarked(
  cloud: Cloud,
  { name, mark }: { readonly name: string; readonly mark: string },
  deadline: OperationDeadline,
): Promise<string | undefined> {
  const request = { service: "identity", path: ["projects"], key: "projects", query: { name } } as const;
  const found = (await cloud.list(request, deadline)).find((wire) => wire[markField] === mark);
  return found && idOf(found.id);
}

/** The path of the user of that name, if there is one. */
async function userPath(
  cloud: Cloud,
  { name, domain_id }: { readonly name: string; readonly domain_id: string },
  deadline: OperationDeadline,
): Promise<readonly string[] | undefined> {
  const request = { service: "identity", path: ["users"], key: "users", query: { name, domain_id } } as const;
  const users = await cloud.list(request, deadline);
  const found = users.find((user) => user.name === name && user.domain_id === domain_id);
  return found && ["users", idOf(found.id)];
}

/** A user, or a role of one, that a credential made meanwhile needs. */
async function isInUse(cloud: Cloud, path: readonly string[], deadline: OperationDeadline): Promise<boolean> {
  const [kind, id, below, userId] = path;
  const user = kind === "users" ? id : below === "users" ? userId : undefined;
  if (user === undefined) return false;
  const project = kind === "projects" ? id : undefined;
  const request = { service: "identity", path: ["credentials"], key: "credentials", query: { user_id: user } } as const;
  const held = (await cloud.list(request, deadline)).filter(({ user_id }) => user_id === user);
  return held.some(({ project_id }) => project === undefined || project_id === project);
}
