import { GatewayError } from "../errors.ts";
import type { PortalCall } from "./call.ts";
import type { Region } from "./regions.ts";

/** What an operation is about to remove, where, and who asked for it. */
interface Removal {
  readonly input: Readonly<Record<string, unknown>>;
  readonly region: Region;
  readonly call: PortalCall;
}

type Check = (removal: Removal) => Promise<void>;

/**
 * What must be gone first, where one back end of a region keeps what stands on another's, by the operation that would remove the ground:
 * no back end can see it by itself. Each throws `conflict`.
 */
const checks: Readonly<Record<string, Check>> = {
  "iaas.deleteProject": refuseWithClusters,
};

/** What is looked at before an operation, `area.name`; undefined for those on which nothing stands. */
export function checkBefore(name: string): Check | undefined {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

/** The annotation by which a cluster project names the infrastructure project that it stands for. */
export const iaasProjectMark = "tollgate/iaas-project-id";

/** Clusters would stay without the machines they are made of. Of a project that is not there the back end says so itself. */
async function refuseWithClusters({ input, region: { iaas, clusters }, call }: Removal): Promise<void> {
  const id = String(input.project_id);
  const all = (await clusters?.projects?.({}, call)) ?? [];
  const left = all.find(({ metadata }) => markOf(metadata) === id);
  if (left === undefined) return;
  const projects = await iaas?.projects?.({}, call);
  if (projects?.every((project) => project.id !== id)) return;
  const message = `The project still has the cluster project \`${left.metadata?.name}\`: delete it first.`;
  throw new GatewayError("conflict", message);
}

function markOf(metadata: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object(metadata?.annotations)[iaasProjectMark];
}
