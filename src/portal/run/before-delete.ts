import { GatewayError } from "../../errors.ts";
import type { RowInput } from "../../operations/portal/table.ts";
import type { PendingDeletion } from "./deletion-hooks.ts";

/** The annotation of a cluster project that names its infrastructure project. */
export const iaasProjectMark = "tollgate/iaas-project-id";

/**
 * Throws `conflict` while a cluster project uses the infrastructure project: its clusters would lose their machines. For a project that
 * does not exist it does nothing, because the back end answers `not_found` itself.
 */
export async function refuseWithClusters({
  input,
  region: { iaas, clusters },
  call,
}: PendingDeletion<RowInput<"iaas.deleteProject">>): Promise<void> {
  const all = (await clusters?.projects?.({}, call)) ?? [];
  const dependent = all.find(({ metadata }) => iaasProjectOf(metadata) === input.project_id);
  if (dependent === undefined) return;
  const projects = await iaas?.projects?.({}, call);
  if (projects?.every((project) => project.id !== input.project_id)) return;
  const message = `The project is used by the cluster project \`${dependent.metadata?.name}\`. Delete the cluster project first.`;
  throw new GatewayError("conflict", message);
}

function iaasProjectOf(metadata: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object(metadata?.annotations)[iaasProjectMark];
}
