import type { TakeBackStep } from "../../../../src/api/portal/cloud.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { inParallel } from "../../../../src/portal/locks/in-parallel.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { isHolderName, projectHolder } from "../../shared/records.ts";
import type { Cloud, ListRequest, Wire } from "../client/cloud.ts";
import { idOf } from "../client/from-wire.ts";
import { allProjects } from "../quotas/quota-names.ts";
import { resetQuotas } from "../quotas/quotas.ts";
import { takeStep } from "../rollbacks/steps.ts";
import { width } from "../tenants.ts";
import type { ProjectCreation } from "./create-project.ts";

type Lister = Omit<ListRequest, "query"> & {
  readonly projectField: string;
  readonly query: Readonly<Record<string, string>>;
};

const everywhere = { all_tenants: "1" };
const network = (path: string, key = path): Lister => ({
  service: "network",
  path: [path],
  key,
  projectField: "project_id",
  query: {},
});
const volume = (key: string, projectField: string): Lister => ({
  service: "volume",
  path: [key, "detail"],
  key,
  projectField,
  query: everywhere,
});

/** What would be left without an owner: Keystone deletes a project whatever it has (portal-backends.md, section 2). */
const belongings: readonly Lister[] = [
  { service: "compute", path: ["servers", "detail"], key: "servers", projectField: "tenant_id", query: everywhere },
  volume("volumes", "os-vol-tenant-attr:tenant_id"),
  volume("snapshots", "os-extended-snapshot-attributes:project_id"),
  volume("backups", "os-backup-project-attr:project_id"),
  { service: "loadBalancer", path: ["loadbalancers"], key: "loadbalancers", projectField: "project_id", query: {} },
  network("floatingips"),
  network("routers"),
  network("ports"),
  network("networks"),
  network("security-groups", "security_groups"),
  { service: "image", path: ["images"], key: "images", projectField: "owner", query: { visibility: "all" } },
  { service: "dns", path: ["zones"], key: "zones", projectField: "project_id", query: {}, headers: allProjects },
];

/** Lists that do not know the field by which the others are narrowed. */
const queryFields: Readonly<Record<string, string | undefined>> = { image: "owner", dns: undefined };

/** Neutron makes this one by itself at a project's first call; it goes with the project. */
function isDefaultGroup(key: string, { name }: Wire): boolean {
  return key === "security_groups" && name === "default";
}

async function readBelongings(
  lister: Lister,
  projectId: string,
  { cloud, deadline }: Pick<ProjectCreation, "cloud" | "deadline">,
) {
  const { projectField, query, ...request } = lister;
  if (!(await cloud.has(lister.service, deadline))) return [];
  const field = lister.service in queryFields ? queryFields[lister.service] : "project_id";
  const scopedQuery = field === undefined ? query : { ...query, [field]: projectId };
  return (await cloud.list({ ...request, query: scopedQuery }, deadline)).filter(
    (wire) => wire[projectField] === projectId,
  );
}

/** Throws `conflict` naming what a project still has; gives its default security groups. */
async function checkEmpty(projectId: string, making: Pick<ProjectCreation, "cloud" | "deadline">): Promise<string[]> {
  const { isAdmin } = await making.cloud.session(making.deadline);
  if (!isAdmin)
    throw new GatewayError("backend_error", "Our token is no administrator's: what the project has cannot be seen.");
  const lists = await inParallel(belongings, width, (lister) => readBelongings(lister, projectId, making));
  const own = lists.map((list, at) => list.filter((wire) => !isDefaultGroup(belongings[at]?.key ?? "", wire)));
  const counts = own.flatMap((list, at) => (list.length === 0 ? [] : [`${list.length} ${belongings[at]?.key}`]));
  if (counts.length > 0)
    throw new GatewayError("conflict", `The project still has ${counts.join(", ")}: delete them first.`);
  return lists
    .flat()
    .filter((wire) => isDefaultGroup("security_groups", wire))
    .map(({ id }) => idOf(id));
}

/**
 * Deletes a project that has nothing left, and the users that held its credentials for the portal. It is disabled first and looked at once
 * more, so that nothing can be made in it meanwhile; when the second look finds something, or a step fails, it is enabled again.
 */
export async function deleteProject(project: Wire, making: ProjectCreation): Promise<void> {
  const { cloud, deadline, rollbacks } = making;
  const id = idOf(project.id);
  await checkEmpty(id, making);
  const users = (await holdersOf(cloud, project, deadline)).map((user): TakeBackStep => {
    return { kind: "delete", path: ["users", user] };
  });
  const enabling: TakeBackStep[] = project.enabled === true ? [{ kind: "enable_project", project_id: id }] : [];
  await rollbacks.begin([...enabling, ...users]);
  await removeEmpty(id, making, enabling);
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

async function removeEmpty(id: string, making: ProjectCreation, enabling: readonly TakeBackStep[]): Promise<void> {
  const { cloud, deadline, rollbacks } = making;
  try {
    await setEnabled(id, false, making);
    for (const group of await checkEmpty(id, making)) {
      await cloud.find({ service: "network", method: "DELETE", path: ["security-groups", group] }, deadline);
    }
    await resetQuotas(cloud, id, deadline);
    await cloud.ask({ service: "identity", method: "DELETE", path: ["projects", id] }, deadline);
  } catch (thrown) {
    const what = `The project ${id} was disabled before and could not be enabled again.`;
    await rollbacks.takeBack(enabling, { thrown, what });
    throw thrown;
  }
}

/** Switches a project on or off; gives it as it is then. */
export async function setEnabled(
  id: string,
  enabled: boolean,
  { cloud, deadline }: { cloud: ProjectCreation["cloud"]; deadline: OperationDeadline },
): Promise<Wire> {
  const body = { project: { enabled } };
  const answer = await cloud.ask({ service: "identity", method: "PATCH", path: ["projects", id], body }, deadline);
  return (answer.project ?? {}) as Wire;
}
