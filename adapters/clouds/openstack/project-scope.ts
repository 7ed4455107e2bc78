import { GatewayError } from "../../../src/engine/errors.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import type { Scope } from "./client/options.ts";
import type { CloudContext } from "./cloud-context.ts";
import { findProject, joinProject } from "./identity.ts";

/**
 * The scope in which things are made that shall belong to a project. Keystone gives a token for it only to who has a role there: our
 * user gives itself one where it has none. Nothing stands for our own scope, which is that project already.
 */
export async function enterProject(
  cloudContext: CloudContext,
  projectId: string,
  deadline: OperationDeadline,
): Promise<Scope | undefined> {
  const { cloud, options } = cloudContext;
  const own = await cloud.session(deadline);
  if (own.project?.id === projectId) return undefined;
  if ("applicationCredentialId" in options.credentials) {
    throw new GatewayError(
      "backend_error",
      "An application credential works in its own project only: use a user and a password.",
    );
  }
  const scope = { projectId };
  if (await cloud.canEnter(scope, deadline)) return scope;
  const project = await findProject(cloud, projectId, deadline);
  if (project === undefined) throw new GatewayError("not_found", `There is no project \`${projectId}\`.`);
  if (project.enabled !== true)
    throw new GatewayError("conflict", `The project \`${projectId}\` is disabled: enable it first.`);
  if ((await joinProject(cloudContext, projectId, deadline)) && (await cloud.canEnter(scope, deadline))) return scope;
  throw new GatewayError("backend_error", `Our user has no role on the project \`${projectId}\`.`);
}
