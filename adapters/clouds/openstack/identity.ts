import { GatewayError } from "../../../src/engine/errors.ts";
import type { Domain, IaasProject } from "../../../src/operations/portal/infrastructure/iaas-resources.ts";
import { inParallel } from "../../../src/portal/locks/in-parallel.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import type { Cloud, Wire } from "./client/cloud.ts";
import { idOf, objectOf, objectsOf, textOf, withoutNothing } from "./client/from-wire.ts";
import type { OpenStackOptions } from "./client/options.ts";
import { type ListContext, width } from "./tenants.ts";

/** A domain in the portal's words. */
function toDomain(wire: Wire): Domain {
  return withoutNothing({
    description: textOf(wire.description),
    enabled: wire.enabled === true,
    id: idOf(wire.id),
    links: objectOf(wire.links),
    name: idOf(wire.name),
    options: objectOf(wire.options),
    tags: Array.isArray(wire.tags) ? wire.tags : [],
  });
}

/** What of a project is not Keystone's. */
export interface ProjectFacts {
  readonly client?: string | undefined;
  readonly client_name?: string | undefined;
  readonly reseller?: string | undefined;
  readonly updated?: string | undefined;
  readonly domain_name?: string | undefined;
  readonly domain_enabled?: false | undefined;
}

/** A project in the portal's words. Attributes that Keystone keeps for others (`client`, `reseller`) are not looked at. */
export function toProject(wire: Wire, facts: ProjectFacts): IaasProject {
  return withoutNothing({
    client: facts.client,
    client_name: facts.client_name,
    description: textOf(wire.description),
    domain_enabled: facts.domain_enabled,
    domain_id: textOf(wire.domain_id),
    domain_name: facts.domain_name,
    enabled: wire.enabled === true,
    id: idOf(wire.id),
    name: idOf(wire.name),
    reseller: facts.reseller,
    updated: facts.updated,
  });
}

/** All domains of the cloud. */
export async function readDomains(cloud: Cloud, deadline: OperationDeadline): Promise<Domain[]> {
  const wires = await cloud.list({ service: "identity", path: ["domains"], key: "domains" }, deadline);
  return wires.map(toDomain).sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** What a project shows of its domain: its name, and whether it is disabled. */
export function domainFacts(
  domains: readonly Domain[],
  domainId: unknown,
): Pick<ProjectFacts, "domain_name" | "domain_enabled"> {
  const domain = domains.find(({ id }) => id === domainId);
  return { domain_name: domain?.name, domain_enabled: domain?.enabled === false ? false : undefined };
}

/** Whether a project works: it and its domain are enabled. */
export async function isUsable(cloud: Cloud, project: Wire, deadline: OperationDeadline): Promise<boolean> {
  if (project.enabled !== true) return false;
  const path = ["domains", idOf(project.domain_id)];
  return objectOf((await cloud.find({ service: "identity", path }, deadline))?.domain)?.enabled !== false;
}

/** A domain by its id or its name. Throws `not_found`. */
export function findDomain(domains: readonly Domain[], named: string): Domain {
  const found = domains.find(({ id }) => id === named) ?? domains.find(({ name }) => name === named);
  if (found !== undefined) return found;
  throw new GatewayError("not_found", `There is no domain \`${named.slice(0, 100)}\`.`, { param: "domain" });
}

/** Makes a domain. A taken name is a `conflict`. */
export async function createDomain(cloud: Cloud, name: string, deadline: OperationDeadline): Promise<Domain> {
  const body = { domain: { name } };
  const answer = await cloud.ask({ service: "identity", method: "POST", path: ["domains"], body }, deadline);
  return toDomain(objectOf(answer.domain) ?? {});
}

/** A project as Keystone has it, if it has it. */
export async function findProject(
  cloud: Cloud,
  projectId: string,
  deadline: OperationDeadline,
): Promise<Wire | undefined> {
  return objectOf((await cloud.find({ service: "identity", path: ["projects", projectId] }, deadline))?.project);
}

/** The projects that the caller sees, as Keystone has them; a few are asked for one by one. */
export async function readProjects(
  cloud: Cloud,
  { visibility, deadline }: ListContext,
  domainId?: string,
): Promise<Wire[]> {
  const isFew = !visibility.isWhole && visibility.projects.size <= 20;
  const query = domainId === undefined ? {} : { domain_id: domainId };
  const wires = isFew
    ? await inParallel([...visibility.projects.keys()], width, (id) => findProject(cloud, id, deadline))
    : await cloud.list({ service: "identity", path: ["projects"], key: "projects", query }, deadline);
  return wires
    .filter((wire) => wire !== undefined)
    .filter((wire) => visibility.shows(idOf(wire.id)) && (domainId === undefined || wire.domain_id === domainId));
}

/** The names of the projects that the caller sees, by their ids. */
export async function projectNames(cloud: Cloud, looking: ListContext): Promise<ReadonlyMap<string, string>> {
  const wires = await readProjects(cloud, looking);
  return new Map(wires.map(({ id, name }) => [idOf(id), idOf(name)] as const));
}

/** The ids of roles by their names. Throws `invalid_request` naming a role that the cloud does not have. */
export async function roleIds(cloud: Cloud, names: readonly string[], deadline: OperationDeadline): Promise<string[]> {
  const roles = await cloud.list({ service: "identity", path: ["roles"], key: "roles" }, deadline);
  const byName = new Map(
    objectsOf(roles)
      .filter(({ domain_id }) => domain_id === null || domain_id === undefined)
      .map(({ id, name }) => [name, idOf(id)]),
  );
  return names.map((name) => {
    const id = byName.get(name);
    if (id !== undefined) return id;
    throw new GatewayError("invalid_request", `\`roles\`: the cloud has no role \`${name}\`.`, { param: "roles" });
  });
}

/**
 * Gives our own user its role on a project, so that backups and volumes can be made in the project's name; nothing where the options
 * say `null`. Gives whether it did.
 */
export async function joinProject(
  { cloud, options: { projectRole = "member" } }: { cloud: Cloud; options: OpenStackOptions },
  projectId: string,
  deadline: OperationDeadline,
): Promise<boolean> {
  if (projectRole === null) return false;
  const roles = await cloud.list({ service: "identity", path: ["roles"], key: "roles" }, deadline);
  const role = roles.find(({ name }) => name === projectRole);
  if (role === undefined) {
    throw new GatewayError(
      "backend_error",
      `The cloud has no role \`${projectRole}\`: set \`projectRole\` of OpenStack to one that it has.`,
    );
  }
  const { user } = await cloud.session(deadline);
  await grant(cloud, { projectId, userId: user.id, roleId: idOf(role.id) }, deadline);
  return true;
}

/** Who gets which role where. */
export interface RoleGrant {
  readonly projectId: string;
  readonly userId: string;
  readonly roleId: string;
}

/** The path of a role of a user on a project. */
export function grantPath({ projectId, userId, roleId }: RoleGrant): readonly string[] {
  return ["projects", projectId, "users", userId, "roles", roleId];
}

/** Gives a user a role on a project. */
export async function grant(cloud: Cloud, roleGrant: RoleGrant, deadline: OperationDeadline): Promise<void> {
  await cloud.ask({ service: "identity", method: "PUT", path: grantPath(roleGrant) }, deadline);
}

/** The ids of the roles that a user has been given on a project. */
export async function grantsOf(
  cloud: Cloud,
  { projectId, userId }: Omit<RoleGrant, "roleId">,
  deadline: OperationDeadline,
): Promise<string[]> {
  const path = ["projects", projectId, "users", userId, "roles"];
  return (await cloud.list({ service: "identity", path, key: "roles" }, deadline)).map(({ id }) => idOf(id));
}

/** Throws `conflict` for the project that our own token is of: without it the portal could neither act nor undo it. */
export async function refuseOwnProject(cloud: Cloud, projectId: string, deadline: OperationDeadline): Promise<void> {
  const { project } = await cloud.session(deadline);
  if (project?.id !== projectId) return;
  const message = "This is the project that the portal itself works in: it is neither disabled nor deleted here.";
  throw new GatewayError("conflict", message, { param: "project_id" });
}

/** Throws `conflict` for a credential of our own user. */
export async function refuseOwnCredential(cloud: Cloud, credential: Wire, deadline: OperationDeadline): Promise<void> {
  const { user } = await cloud.session(deadline);
  if (idOf(credential.user_id) !== user.id) return;
  const message = "This credential is the portal's own: it is not deleted here.";
  throw new GatewayError("conflict", message, { param: "credential_id" });
}
