import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { iaasProjectMark } from "../../../src/portal/purge/cluster-contents.ts";
import { contains, type ScopedRecord } from "../../../src/portal/tenancy/tenant-scope.ts";
import { namespaceOf, projectNames } from "../shared/clusters/names.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import { type KubeObject, type Kubernetes, missingError } from "./client/kubernetes.ts";
import type { ObjectPath } from "./client/resources.ts";
import { shown } from "./objects.ts";
import type { GardenerOptions } from "./options.ts";

/** One operation on its way: who calls, by when it must end, and what it works with. */
export interface GardenerOperation {
  readonly kubernetes: Kubernetes;
  readonly options: GardenerOptions;
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
}

/** Annotations by which a cluster project remembers the infrastructure project that it stands for, and its place among the tenants. */
const marks = {
  projectId: iaasProjectMark,
  reseller: "tollgate/reseller",
  client: "tollgate/client-id",
  user: "tollgate/user-id",
} as const;

/** Gardener deletes only what carries this annotation with `true`. */
export const confirmation = "confirmation.gardener.cloud/deletion";

/** The infrastructure project that a cluster project stands for; nothing for those that were not made by the portal. */
export function iaasProjectOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[marks.projectId];
}

function scopedOf({ metadata: { annotations = {} } }: KubeObject): ScopedRecord {
  return {
    reseller: annotations[marks.reseller],
    client_id: annotations[marks.client],
    user_id: annotations[marks.user],
  };
}

/** True for what the caller may see: what others have made belongs to the provider. */
function isVisible(project: KubeObject, { caller }: PortalCall): boolean {
  return contains(caller.scope, scopedOf(project));
}

/** All cluster projects that the caller may see. */
export async function listProjects({ kubernetes, call, deadline }: GardenerOperation): Promise<KubeObject[]> {
  const projects = await kubernetes.list({ resource: "project" }, deadline);
  return projects.filter((project) => isVisible(project, call));
}

/** A cluster project by its name. Throws `not_found` also for one outside the caller's scope. */
async function readProject({ kubernetes, call, deadline }: GardenerOperation, name: string): Promise<KubeObject> {
  const target = { resource: "project", name } as const;
  const project = await kubernetes.read(target, deadline);
  if (!isVisible(project, call)) throw missingError(target);
  return project;
}

/**
 * The cluster project of a namespace. Every operation on a namespace begins here, so that nobody reaches into another's, nor into
 * the namespaces of the cluster itself. Throws `not_found`.
 */
export async function projectOfNamespace(task: GardenerOperation, namespace: string): Promise<KubeObject> {
  const likely = namespace.replace(/^garden-/, "");
  const named = await task.kubernetes.find({ resource: "project", name: likely }, task.deadline);
  const isIt = (project: KubeObject) => project.spec?.namespace === namespace;
  const project = named && isIt(named) ? named : (await listProjects(task)).find(isIt);
  if (project !== undefined && isVisible(project, task.call)) return project;
  throw new GatewayError("not_found", `There is no namespace \`${namespace}\` of a cluster project.`, {
    param: "namespace",
  });
}

/** `GET /cluster/projects`. */
export async function findProjects(task: GardenerOperation, filter: InputOf<typeof clusters.projects>) {
  const { namespace_filter, project_name } = filter;
  return (await listProjects(task))
    .filter(({ metadata }) => project_name === undefined || metadata.name === project_name)
    .filter(({ spec }) => namespace_filter === undefined || spec?.namespace === namespace_filter)
    .map(shown);
}

/** `GET /cluster/projects/{project_name}`. */
export async function showProject(task: GardenerOperation, { project_name }: { readonly project_name: string }) {
  return [shown(await readProject(task, project_name))];
}

/** `POST /cluster/projects`: one per infrastructure project; a name that another one has already is passed over. */
export async function createProject(task: GardenerOperation, input: InputOf<typeof clusters.createProject>) {
  const { project_id, purpose, description, owner, reseller_prefix } = input;
  const scoped = await scopeOfProject(task, project_id);
  for (const name of projectNames(project_id, reseller_prefix)) {
    const metadata = { name, annotations: annotationsOf(project_id, scoped) };
    const spec = { namespace: namespaceOf(name), purpose, description, ...ownerOf(owner) };
    const created = await tryCreate(task, { metadata, spec });
    if (created !== undefined) return shown(created);
    const present = await task.kubernetes.find({ resource: "project", name }, task.deadline);
    if (present === undefined || iaasProjectOf(present) !== project_id) continue;
    throw new GatewayError("conflict", "This project has a cluster project already.", { param: "project_id" });
  }
  throw new GatewayError("conflict", "No name is free for the cluster project: try another `reseller_prefix`.", {
    param: "reseller_prefix",
  });
}

/** A cluster project lies where its infrastructure project does; those that the portal does not know are the provider's alone. */
async function scopeOfProject({ call }: GardenerOperation, projectId: string): Promise<ScopedRecord> {
  const stored = await call.records.get("cloud_project", projectId);
  if (stored !== undefined) return stored.record;
  if (contains(call.caller.scope, {})) return {};
  throw new GatewayError("not_found", `There is no project \`${projectId}\`.`, { param: "project_id" });
}

function annotationsOf(projectId: string, { reseller, client_id, user_id }: ScopedRecord): Record<string, string> {
  const all = {
    [marks.projectId]: projectId,
    [marks.reseller]: reseller,
    [marks.client]: client_id,
    [marks.user]: user_id,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function ownerOf(name: string | undefined) {
  return name === undefined ? {} : { owner: { apiGroup: "rbac.authorization.k8s.io", kind: "User", name } };
}

/** The new object, or nothing when its name is taken. */
async function tryCreate({ kubernetes, deadline }: GardenerOperation, body: object): Promise<KubeObject | undefined> {
  try {
    return await kubernetes.create({ target: { resource: "project" }, body }, deadline);
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "conflict") return undefined;
    throw thrown;
  }
}

/** `PATCH /cluster/projects/{project_name}`; `prepare_delete` confirms the deletion that follows, or takes that back. */
export async function changeProject(task: GardenerOperation, input: InputOf<typeof clusters.changeProject>) {
  const { project_name, purpose, description, owner, prepare_delete } = input;
  const project = await readProject(task, project_name);
  const annotations = prepare_delete === undefined ? undefined : { [confirmation]: prepare_delete ? "true" : null };
  const merge = { metadata: { annotations }, spec: { purpose, description, ...ownerOf(owner) } };
  const target = { resource: "project", name: project.metadata.name } as const;
  return shown(await task.kubernetes.patch(target, { merge }, task.deadline));
}

/** `DELETE /cluster/projects/{project_name}`: refused with clusters in it, and unless it is confirmed, by `force` or before. */
export async function deleteProject(
  task: GardenerOperation,
  { project_name, force }: InputOf<typeof clusters.deleteProject>,
) {
  const { kubernetes, deadline } = task;
  const { metadata, spec } = await readProject(task, project_name);
  const target = { resource: "project", name: metadata.name } as const;
  await refuseWithShoots(task, spec?.namespace);
  if (force === true) {
    await kubernetes.patch(target, { merge: { metadata: { annotations: { [confirmation]: "true" } } } }, deadline);
  } else if (metadata.annotations?.[confirmation] !== "true") {
    throw unconfirmed("cluster project", "`prepare_delete: true`, or delete it with `force: true`");
  }
  await removeConfirmed(task, target);
  return { msg: `The cluster project ${metadata.name} is being deleted.` };
}

async function refuseWithShoots({ kubernetes, deadline }: GardenerOperation, namespace: unknown): Promise<void> {
  if (typeof namespace !== "string") return;
  const { length } = await kubernetes.list({ resource: "shoot", namespace }, deadline);
  if (length > 0)
    throw new GatewayError("conflict", `The cluster project still has ${length} clusters: delete them first.`);
}

/** Deletes what carries the confirmation; a failure says that it does, for the next one who tries needs no other. */
export async function removeConfirmed(
  { kubernetes, deadline }: GardenerOperation,
  target: ObjectPath,
): Promise<unknown> {
  try {
    return await kubernetes.remove(target, deadline);
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    const message = `${thrown.message} Its deletion is confirmed already; another attempt needs no more.`;
    throw new GatewayError(thrown.code, message, { param: thrown.param, cause: thrown });
  }
}

/** The error of a deletion that nobody has confirmed. */
function unconfirmed(title: string, how: string): GatewayError {
  return new GatewayError("conflict", `The ${title} is protected: confirm its deletion with ${how}.`, {
    param: "force",
  });
}
