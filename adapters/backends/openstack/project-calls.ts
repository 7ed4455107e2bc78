import type { Project } from "../../../src/operations/portal/resources/iaas.ts";
import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { limitsOf } from "../shared/quota-profile.ts";
import { forgetProject, keepProject, type OwnWords, ownWords, touchProject } from "../shared/records.ts";
import { ownerOf, projectMissing, recordOf, sightOf } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import { createProject } from "./create-project.ts";
import { deleteProject, setEnabled } from "./delete-project.ts";
import { idOf, inOrder } from "./from-wire.ts";
import { findDomain, findProject, readDomains, readProjects, toProject } from "./identity.ts";
import { profileSources, sortLimits } from "./quota-names.ts";
import type { Site } from "./site.ts";

type ProjectCalls = Pick<
  Required<AreaBackend<"iaas">>,
  "projects" | "createProject" | "disableProject" | "enableProject" | "deleteProject"
>;

/** The operations on projects: Keystone's, with whose they are from the portal's records. */
export function projectCalls(site: Site): ProjectCalls {
  return {
    projects: ({ domain }, call) => site.run(call, (work) => listProjects(site, domain, { call, work })),
    createProject: (input, call) => site.run(call, (work) => make(site, input, { call, work })),
    disableProject: ({ project_id }, call) => switchProject(site, { project_id, enabled: false }, call),
    enableProject: ({ project_id }, call) => switchProject(site, { project_id, enabled: true }, call),
    deleteProject: ({ project_id }, call) =>
      site.run(call, async (work) => {
        const record = await recordOf(project_id, call);
        const wire = await findProject(site.cloud, project_id, work);
        if (wire !== undefined) await deleteProject(wire, { ...site, work });
        else if (record === undefined) throw projectMissing(project_id);
        await forgetProject(project_id, call);
        return undefined;
      }),
  };
}

/** One operation: who asked, and its work. */
interface Asked {
  readonly call: PortalCall;
  readonly work: Work;
}

async function listProjects({ cloud }: Site, domain: string | undefined, { call, work }: Asked): Promise<Project[]> {
  const sight = await sightOf(call);
  const domains = await readDomains(cloud, work);
  const within = domain === undefined ? undefined : findDomain(domains, domain);
  const wires = await readProjects(cloud, { sight, work }, within?.id);
  const names = new Map(domains.map(({ id, name }) => [id, name] as const));
  const ordered = inOrder(wires, ({ id }) => sight.projects.get(idOf(id))?.created_at);
  const wordsOf = await ownWords(call);
  return ordered.map((wire) => {
    const words = wordsOf(sight.projects.get(idOf(wire.id)));
    return toProject(wire, { ...words, domain_name: names.get(idOf(wire.domain_id)) });
  });
}

type ProjectInput = Parameters<ProjectCalls["createProject"]>[0];

/** What the answer needs is read before: nothing may fail once the project is made. */
async function make(site: Site, input: ProjectInput, { call, work }: Asked) {
  const { name, description, quota_profile, client, reseller } = input;
  const owner = ownerOf({ client, reseller }, call);
  const limits = sortLimits(await limitsOf(quota_profile, profileSources(site.options), call), "quota_profile");
  const domains = await readDomains(site.cloud, work);
  const wordsOf = await ownWords(call);
  let words: OwnWords = {};
  const wire = await createProject(
    { name, description, limits, mark: call.eventId },
    { ...site, work },
    async (made) => {
      words = wordsOf(await keepProject(idOf(made.id), { ...owner, quota_profile }, call));
    },
  );
  return { project: toProject(wire, { ...words, domain_name: domains.find(({ id }) => id === wire.domain_id)?.name }) };
}

interface Switching {
  readonly project_id: string;
  readonly enabled: boolean;
}

function switchProject(site: Site, { project_id, enabled }: Switching, call: PortalCall): Promise<undefined> {
  return site.run(call, async (work) => {
    await recordOf(project_id, call);
    if ((await findProject(site.cloud, project_id, work)) === undefined) throw projectMissing(project_id);
    await setEnabled(project_id, enabled, { cloud: site.cloud, work });
    await touchProject(project_id, call);
    return undefined;
  });
}
