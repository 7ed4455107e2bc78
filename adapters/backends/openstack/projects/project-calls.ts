import type { IaasProject } from "../../../../src/operations/portal/infrastructure/iaas-resources.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { limitsOf } from "../../shared/quota-profile.ts";
import { forgetProject, keepProject, type OwnWords, ownWords, touchProject } from "../../shared/records.ts";
import { ownerOf, projectMissing, recordOf, visibilityOf } from "../../shared/visibility.ts";
import { idOf, inOrder } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { findDomain, findProject, readDomains, readProjects, toProject } from "../identity.ts";
import { profileSources, sortLimits } from "../quotas/quota-names.ts";
import { createProject } from "./create-project.ts";
import { deleteProject, setEnabled } from "./delete-project.ts";

type ProjectCalls = Pick<
  Required<AreaBackend<"iaas">>,
  "projects" | "createProject" | "disableProject" | "enableProject" | "deleteProject"
>;

/** The operations on projects: Keystone's, with whose they are from the portal's records. */
export function projectCalls(cloudContext: CloudContext): ProjectCalls {
  return {
    projects: ({ domain }, call) =>
      cloudContext.run(call, (deadline) => listProjects(cloudContext, domain, { call, deadline })),
    createProject: (input, call) => cloudContext.run(call, (deadline) => make(cloudContext, input, { call, deadline })),
    disableProject: ({ project_id }, call) => switchProject(cloudContext, { project_id, enabled: false }, call),
    enableProject: ({ project_id }, call) => switchProject(cloudContext, { project_id, enabled: true }, call),
    deleteProject: ({ project_id }, call) =>
      cloudContext.run(call, async (deadline) => {
        const record = await recordOf(project_id, call);
        const wire = await findProject(cloudContext.cloud, project_id, deadline);
        if (wire !== undefined) await deleteProject(wire, { ...cloudContext, deadline });
        else if (record === undefined) throw projectMissing(project_id);
        await forgetProject(project_id, call);
        return undefined;
      }),
  };
}

/** One operation: who asked, and its work. */
interface ProjectOperation {
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
}

async function listProjects(
  { cloud }: CloudContext,
  domain: string | undefined,
  { call, deadline }: ProjectOperation,
): Promise<IaasProject[]> {
  const visibility = await visibilityOf(call);
  const domains = await readDomains(cloud, deadline);
  const within = domain === undefined ? undefined : findDomain(domains, domain);
  const wires = await readProjects(cloud, { visibility, deadline }, within?.id);
  const names = new Map(domains.map(({ id, name }) => [id, name] as const));
  const ordered = inOrder(wires, ({ id }) => visibility.projects.get(idOf(id))?.created_at);
  const wordsOf = await ownWords(call);
  return ordered.map((wire) => {
    const words = wordsOf(visibility.projects.get(idOf(wire.id)));
    return toProject(wire, { ...words, domain_name: names.get(idOf(wire.domain_id)) });
  });
}

type ProjectInput = Parameters<ProjectCalls["createProject"]>[0];

/** What the answer needs is read before: nothing may fail once the project is made. */
async function make(cloudContext: CloudContext, input: ProjectInput, { call, deadline }: ProjectOperation) {
  const { name, description, quota_profile, client, reseller } = input;
  const owner = ownerOf({ client, reseller }, call);
  const limits = sortLimits(await limitsOf(quota_profile, profileSources(cloudContext.options), call), "quota_profile");
  const domains = await readDomains(cloudContext.cloud, deadline);
  const wordsOf = await ownWords(call);
  let words: OwnWords = {};
  const wire = await createProject(
    { name, description, limits, mark: call.eventId },
    { ...cloudContext, deadline },
    async (created) => {
      words = wordsOf(await keepProject(idOf(created.id), { ...owner, quota_profile }, call));
    },
  );
  return { project: toProject(wire, { ...words, domain_name: domains.find(({ id }) => id === wire.domain_id)?.name }) };
}

interface Switching {
  readonly project_id: string;
  readonly enabled: boolean;
}

function switchProject(
  cloudContext: CloudContext,
  { project_id, enabled }: Switching,
  call: PortalCall,
): Promise<undefined> {
  return cloudContext.run(call, async (deadline) => {
    await recordOf(project_id, call);
    if ((await findProject(cloudContext.cloud, project_id, deadline)) === undefined) throw projectMissing(project_id);
    await setEnabled(project_id, enabled, { cloud: cloudContext.cloud, deadline });
    await touchProject(project_id, call);
    return undefined;
  });
}
