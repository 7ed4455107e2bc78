import { isGatewayError } from "../../engine/errors.ts";
import type { PortalCall } from "../call/call.ts";
import type { Belonging, ProjectContents, Undeletable } from "../project-contents.ts";
import type { AreaBackend } from "../regions.ts";

/** The annotation of a cluster project that names its infrastructure project. */
export const iaasProjectMark = "tollgate/iaas-project-id";

type Metadata = Readonly<Record<string, unknown>> | undefined;

/** The cluster projects that use an infrastructure project, and their clusters, by the operations of `/cluster` alone. */
export function clusterContents(clusters: AreaBackend<"clusters">): ProjectContents {
  const list = async (project_id: string, call: PortalCall) => {
    const all = (await clusters.projects?.({}, call)) ?? [];
    const own = all.filter(({ metadata }) => Object(metadata?.annotations)[iaasProjectMark] === project_id);
    return Promise.all(
      own.map(async ({ metadata, spec }) => {
        const namespace = Object(spec).namespace;
        const shoots = typeof namespace === "string" ? ((await clusters.shoots?.({ namespace }, call)) ?? []) : [];
        return { name: nameOf(metadata), namespace, shoots: shoots.map((shoot) => nameOf(shoot.metadata)) };
      }),
    );
  };
  return {
    async listContents({ project_id }, call) {
      return (await list(project_id, call)).flatMap(({ name, shoots }): Belonging[] => [
        ...shoots.map((shoot) => ({ kind: "clusters", id: `${name}/${shoot}`, name: shoot })),
        { kind: "cluster projects", id: name },
      ]);
    },
    async removeContents({ project_id }, call) {
      const refused: (Undeletable | undefined)[] = [];
      for (const { name, namespace, shoots } of await list(project_id, call)) {
        for (const shoot_name of shoots) {
          const shoot = { kind: "clusters", id: `${name}/${shoot_name}`, name: shoot_name };
          refused.push(await attempt(shoot, () => clusters.deleteShoot?.({ namespace, shoot_name }, call)));
        }
        if (shoots.length > 0) continue;
        const project = { kind: "cluster projects", id: name };
        refused.push(await attempt(project, () => clusters.deleteProject?.({ project_name: name, force: true }, call)));
      }
      return refused.filter((one) => one !== undefined);
    },
  };
}

function nameOf(metadata: Metadata): string {
  return String(metadata?.name ?? "");
}

/** Begins the deletion of one thing; returns it where it was refused. What is gone already is no failure. */
async function attempt(belonging: Belonging, remove: () => unknown): Promise<Undeletable | undefined> {
  try {
    await remove();
    return undefined;
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    return thrown.code === "not_found" ? undefined : { ...belonging, reason: thrown.message };
  }
}
