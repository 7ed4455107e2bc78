import { GatewayError } from "../../../../src/engine/errors.ts";
import type { TakeBackStep } from "../../../../src/operations/records/cloud.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { isHolderName, projectHolder } from "../../shared/records.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf } from "../client/from-wire.ts";
import { resetQuotas } from "../quotas/quotas.ts";
import { disabledField, takeStep } from "../rollbacks/steps.ts";
import { isDefaultGroup, readBelongings } from "./belongings.ts";
import type { ProjectCreation } from "./create-project.ts";

/** Throws `conflict` naming what a project still has; gives its default security groups. */
async function checkEmpty(projectId: string, making: Pick<ProjectCreation, "cloud" | "deadline">): Promise<string[]> {
  const lists = await readBelongings(projectId, making);
  const counts = lists.flatMap(({ kind, wires }) => {
    const { length } = wires.filter((wire) => !isDefaultGroup(kind, wire));
    return length === 0 ? [] : [`${length} ${kind}`];
  });
  if (counts.length > 0)
    throw new GatewayError("conflict", `The project still has ${counts.join(", ")}: delete them first.`);
  return lists
    .flatMap(({ kind, wires }) => wires.filter((wire) => isDefaultGroup(kind, wire)))
    .map(({ id }) => idOf(id));
}

/**
 * Deletes a project that has nothing left, and the users that held its credentials for the portal. It is disabled first and looked at once
 * more, so that nothing can be made in it meanwhile; when the second look finds something, or a step fails, it is enabled again. The mark
 * is the call's: it tells this disabling from any other.
 */
export async function deleteProject(project: Wire, making: ProjectCreation, mark: string): Promise<void> {
  const { cloud, deadline, rollbacks } = making;
  const id = idOf(project.id);
  await checkEmpty(id, making);
  const users = (await holdersOf(cloud, project, deadline)).map((user): TakeBackStep => {
    return { kind: "delete", path: ["users", user] };
  });
  const enabling: Enabling[] = project.enabled === true ? [{ kind: "enable_project", project_id: id, mark }] : [];
  await rollbacks.begin([...enabling, ...users]);
  await removeEmpty({ id, enabling, mark }, making);
  try {
    for (const user of users) await takeStep(cloud, user, { deadline, isWanted: async () => false });
  } catch {
    return; // the project is gone; the record stays until its users are as well
  }
  await rollbacks.clear();
}

/** The users of our own making that hold credentials of a project, and the project's own one where it holds none any more. */
async function holdersOf(cloud: Cloud, project: Wire, deadline: OperationDeadline): Promise<string[]> {
  const list = (key: string, query: Readonly<Record<string, string>>) =>
    cloud.list({ service: "identity", path: [key], key, query }, deadline);
  const credentials = await list("credentials", { type: "ec2" });
  const holders = new Set(credentials.filter((one) => one.project_id === project.id).map((one) => one.user_id));
  const users = await list("users", { domain_id: idOf(project.domain_id) });
  const isOurs = (user: Wire) =>
    user.name === projectHolder(idOf(project.id)) || (holders.has(user.id) && isHolderName(idOf(user.name)));
  return users.filter(isOurs).map((user) => idOf(user.id));
}

type Enabling = Extract<TakeBackStep, { kind: "enable_project" }>;

interface EmptyProject {
  readonly id: string;
  readonly enabling: readonly Enabling[];
  readonly mark: string;
}

async function removeEmpty({ id, enabling, mark }: EmptyProject, making: ProjectCreation): Promise<void> {
  const { cloud, deadline, rollbacks } = making;
  let isAnswered = false;
  try {
    await setEnabled(id, { enabled: false, [disabledField]: mark }, making);
    isAnswered = true;
    for (const group of await checkEmpty(id, making)) {
      await cloud.find({ service: "network", method: "DELETE", path: ["security-groups", group] }, deadline);
    }
    await resetQuotas(cloud, id, deadline);
    await cloud.ask({ service: "identity", method: "DELETE", path: ["projects", id] }, deadline);
  } catch (thrown) {
    const what = `The project ${id} was disabled before and could not be enabled again.`;
    const is_unanswered = !isAnswered && isUnanswered(thrown);
    const steps = enabling.map((step) => ({ ...step, is_unanswered }));
    await rollbacks.takeBack(steps, { thrown, what });
    throw thrown;
  }
}

/** Switches a project on or off; gives it as it is then. */
export async function setEnabled(
  id: string,
  project: { readonly enabled: boolean; readonly [disabledField]?: string },
  { cloud, deadline }: { cloud: ProjectCreation["cloud"]; deadline: OperationDeadline },
): Promise<Wire> {
  const body = { project };
  const answer = await cloud.ask({ service: "identity", method: "PATCH", path: ["projects", id], body }, deadline);
  return (answer.project ?? {}) as Wire;
}
