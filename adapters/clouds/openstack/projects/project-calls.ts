import type { IaasProject } from "../../../../src/operations/portal/infrastructure/iaas-resources.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { forgetProject, ownWords, touchProject } from "../../shared/records.ts";
import { projectMissing, recordOf, visibilityOf } from "../../shared/visibility.ts";
import { idOf, inOrder } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import {
  domainFacts,
  findDomain,
  findProject,
  readDomains,
  readProjects,
  refuseOwnProject,
  toProject,
} from "../identity.ts";
import { forgetEnabling, openRollbackLog } from "../rollbacks/log.ts";
import { deleteProject, setEnabled } from "./delete-project.ts";
import { make, type ProjectOperation } from "./make-project.ts";
import { purgeStates, removeStuck, stuckProjects } from "./stuck-projects.ts";

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
      cloudContext.run(call, (deadline) => remove(cloudContext, project_id, { call, deadline })),
  };
}

async function remove(cloudContext: CloudContext, project_id: string, { call, deadline }: ProjectOperation) {
  const { cloud } = cloudContext;
  if (await removeStuck(cloudContext, project_id, call)) return undefined;
  const record = await recordOf(project_id, call);
  await refuseOwnProject(cloud, project_id, deadline);
  const wire = await findProject(cloud, project_id, deadline);
  const owner = { reseller: record?.reseller ?? null, client_id: record?.client_id ?? null, user_id: null };
  const rollbacks = openRollbackLog({ ...cloudContext, call, owner });
  if (wire !== undefined) await deleteProject(wire, { ...cloudContext, deadline, rollbacks }, call.eventId);
  else if (record === undefined) throw projectMissing(project_id);
  await forgetProject(project_id, call);
  return undefined;
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
  const ordered = inOrder(wires, ({ id }) => visibility.projects.get(idOf(id))?.created_at);
  const wordsOf = await ownWords(call);
  const stuck = domain === undefined ? await stuckProjects(call) : [];
  const isStuck = new Set(stuck.map(({ id }) => id));
  const purges = await purgeStates(call);
  const projects = ordered.map((wire) => {
    const words = wordsOf(visibility.projects.get(idOf(wire.id)));
    const project = toProject(wire, { ...words, ...domainFacts(domains, wire.domain_id) });
    return { ...project, ...purges.get(project.id) };
  });
  return [...projects.filter(({ id }) => !isStuck.has(id)), ...stuck];
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
    if (!enabled) await refuseOwnProject(cloudContext.cloud, project_id, deadline);
    if ((await findProject(cloudContext.cloud, project_id, deadline)) === undefined) throw projectMissing(project_id);
    if (!enabled) await forgetEnabling(project_id, call.allRecords);
    await setEnabled(project_id, { enabled }, { cloud: cloudContext.cloud, deadline });
    await touchProject(project_id, call);
    return undefined;
  });
}
