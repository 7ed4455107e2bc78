import { GatewayError } from "../../../src/errors.ts";
import type { Work } from "../shared/work.ts";
import { findProject, joinProject } from "./identity.ts";
import type { Scope } from "./options.ts";
import type { Site } from "./site.ts";

/**
 * The scope in which things are made that shall belong to a project. Keystone gives a token for it only to who has a role there: our
 * user gives itself one where it has none. Nothing stands for our own scope, which is that project already.
 */
export async function enterProject(site: Site, projectId: string, work: Work): Promise<Scope | undefined> {
  const { cloud, options } = site;
  const own = await cloud.session(work);
  if (own.project?.id === projectId) return undefined;
  if ("applicationCredentialId" in options.credentials) {
    throw new GatewayError(
      "backend_error",
      "An application credential works in its own project only: use a user and a password.",
    );
  }
  const scope = { projectId };
  if (await cloud.canEnter(scope, work)) return scope;
  const project = await findProject(cloud, projectId, work);
  if (project === undefined) throw new GatewayError("not_found", `There is no project \`${projectId}\`.`);
  if (project.enabled !== true)
    throw new GatewayError("conflict", `The project \`${projectId}\` is disabled: enable it first.`);
  if ((await joinProject(site, projectId, work)) && (await cloud.canEnter(scope, work))) return scope;
  throw new GatewayError("backend_error", `Our user has no role on the project \`${projectId}\`.`);
}
