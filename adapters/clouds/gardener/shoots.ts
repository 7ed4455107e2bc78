import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { checkShootName } from "../shared/clusters/names.ts";
import { shootSpec } from "../shared/clusters/shoot-spec.ts";
import { readBindingFor } from "./bindings.ts";
import type { KubeObject } from "./client/kubernetes.ts";
import type { ObjectPath } from "./client/resources.ts";
import { deletionStatus, shown } from "./objects.ts";
import {
  confirmation,
  type GardenerOperation,
  iaasProjectOf,
  listProjects,
  projectOfNamespace,
  removeConfirmed,
} from "./projects.ts";

/** Gardener gives up what it cannot delete only when this annotation is `true`. */
const forced = "confirmation.gardener.cloud/force-deletion";

/** A cluster by namespace and name. */
export interface ShootName {
  readonly namespace: string;
  readonly shoot_name: string;
}

/** Where a cluster stands, once its namespace is known to be one that the caller may reach. */
export async function shootTarget(
  task: GardenerOperation,
  { namespace, shoot_name: name }: ShootName,
): Promise<ObjectPath> {
  await projectOfNamespace(task, namespace);
  return { resource: "shoot", namespace, name };
}

/** A cluster. Throws `not_found`. */
export async function readShoot(task: GardenerOperation, name: ShootName): Promise<KubeObject> {
  return task.kubernetes.read(await shootTarget(task, name), task.deadline);
}

/** `GET /cluster/{namespace}/shoots/{shoot_name}`. */
export async function showShoot(task: GardenerOperation, name: ShootName) {
  return [shown(await readShoot(task, name))];
}

/** `GET /cluster/{namespace}/shoots`. */
export async function listShoots(task: GardenerOperation, { namespace }: { readonly namespace: string }) {
  await projectOfNamespace(task, namespace);
  return (await task.kubernetes.list({ resource: "shoot", namespace }, task.deadline)).map(shown);
}

/** `POST /cluster/{namespace}/shoots`. */
export async function createShoot(task: GardenerOperation, input: InputOf<typeof clusters.createShoot>) {
  const { kubernetes, deadline, options } = task;
  const { namespace, shoot_name, cloud_profile_name: name } = input;
  const project = await projectOfNamespace(task, namespace);
  checkShootName(shoot_name, project.metadata.name);
  const binding = await readBindingFor(task, namespace, input.secret_binding_name);
  const profile = await kubernetes.find({ resource: "cloudProfile", name }, deadline);
  if (profile === undefined) {
    throw new GatewayError("not_found", `There is no cloud profile \`${name}\`.`, { param: "cloud_profile_name" });
  }
  const { providerConfig } = profile.spec ?? {};
  const spec = shootSpec({ input, binding, providerConfig, defaults: options.shoots ?? {} });
  const body = { metadata: { name: shoot_name }, spec };
  return shown(await kubernetes.create({ target: { resource: "shoot", namespace }, body }, deadline));
}

/**
 * `DELETE /cluster/{namespace}/shoots/{shoot_name}`. The call is the confirmation that Gardener asks for as an annotation; `force`
 * adds the one that gives up what cannot be deleted.
 */
export async function deleteShoot(task: GardenerOperation, { force, ...name }: InputOf<typeof clusters.deleteShoot>) {
  const { kubernetes, deadline } = task;
  const target = await shootTarget(task, name);
  const annotations = { [confirmation]: "true", ...(force === true ? { [forced]: "true" } : {}) };
  await kubernetes.patch(target, { merge: { metadata: { annotations } } }, deadline);
  return deletionStatus(await removeConfirmed(task, target), target);
}

/** `GET /cluster/shoots`: one entry per cluster project that has such clusters. */
export async function listAllShoots(task: GardenerOperation, filter: InputOf<typeof clusters.allShoots>) {
  const { kubernetes, deadline } = task;
  const projects = (await listProjects(task)).filter(
    ({ metadata }) => filter.kubernetes_project_name === undefined || metadata.name === filter.kubernetes_project_name,
  );
  const shoots = await kubernetes.list({ resource: "shoot" }, deadline);
  const filters = shoots.filter(
    ({ metadata }) => filter.shoot_name === undefined || metadata.name === filter.shoot_name,
  );
  const entries = projects.map((project) => {
    const own = filters.filter(({ metadata }) => metadata.namespace === project.spec?.namespace);
    return { project, own };
  });
  const names = await iaasNames(task);
  return entries
    .filter(({ own }) => own.length > 0)
    .map(({ project, own }) => ({
      kubernetes_cluster_project: { ...shown(project), shoots: own.map(shown) },
      ...names(iaasProjectOf(project)),
    }));
}

/** The infrastructure's words for a project by its id, as far as they are known. */
async function iaasNames({ options, call }: GardenerOperation) {
  const projects = (await options.iaas?.projects?.({}, call)) ?? [];
  const byId = new Map(projects.map((project) => [project.id, project]));
  return (id: string | undefined) => {
    if (id === undefined) return {};
    const found = byId.get(id);
    if (found === undefined) return { iaas_project_id: id };
    const { domain_id, domain_name, name } = found;
    return { iaas_project_id: id, iaas_project_name: name, iaas_domain_id: domain_id, iaas_domain_name: domain_name };
  };
}
