import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { write } from "../../../src/portal/shelf.ts";
import { projectMissing, recordOf } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import type { Wire } from "./cloud.ts";
import { createCredential } from "./create-credential.ts";
import { findCredential, listCredentials, readHolder, removeCredential, toCredential } from "./credentials.ts";
import { idOf } from "./from-wire.ts";
import { findProject } from "./identity.ts";
import type { Site } from "./site.ts";

type CredentialCalls = Pick<Required<AreaBackend<"iaas">>, "credentials" | "createCredential" | "deleteCredential">;
type CredentialInput = Parameters<CredentialCalls["createCredential"]>[0];

/** Who may read a project's keypair may see the secrets of its credentials. */
const secretsPermission = "keypair-get";

/** The operations on a project's EC2 credentials, which Keystone keeps. */
export function credentialCalls(site: Site): CredentialCalls {
  const { cloud } = site;
  return {
    credentials: ({ project_id }, call) =>
      site.run(call, async (work) => {
        const project = await seeProject(site, project_id, { call, work });
        return listCredentials(cloud, project, { work, showsSecret: call.caller.permissions.has(secretsPermission) });
      }),
    createCredential: (input, call) => site.run(call, (work) => create(site, input, { call, work })),
    deleteCredential: ({ project_id, credential_id }, call) =>
      site.run(call, async (work) => {
        await seeProject(site, project_id, { call, work });
        await findCredential(cloud, { projectId: project_id, id: credential_id }, work);
        await removeCredential(cloud, credential_id, work);
        await call.records.remove("cloud_credential", credential_id);
        return undefined;
      }),
  };
}

interface Asked {
  readonly call: PortalCall;
  readonly work: Work;
}

async function seeProject({ cloud }: Site, projectId: string, { call, work }: Asked): Promise<Wire> {
  await recordOf(projectId, call);
  const project = await findProject(cloud, projectId, work);
  if (project === undefined) throw projectMissing(projectId);
  return project;
}

async function create(site: Site, input: CredentialInput, { call, work }: Asked) {
  const { project_id, access_key, secret_key, roles, user_bound } = input;
  const project = await seeProject(site, project_id, { call, work });
  const holder = user_bound ? `tollgate-user-${call.caller.user.id}` : `tollgate-project-${project_id}`;
  const wish = { accessKey: access_key, secretKey: secret_key, roles, holder };
  const keep = (wire: Wire) => keepRecord(idOf(wire.id), input, call);
  const wire = await createCredential(project, { wish, making: { ...site, work } }, keep);
  const showing = { isProjectEnabled: project.enabled === true, showsSecret: false };
  return {
    credential: toCredential(wire, { ...showing, holder: await readHolder(site.cloud, idOf(wire.user_id), work) }),
  };
}

/** Where the project lies, there lies its credential; one that is bound to a user is that user's. */
async function keepRecord(
  id: string,
  { project_id, description, user_bound }: CredentialInput,
  call: PortalCall,
): Promise<void> {
  const project = await recordOf(project_id, call);
  const record = {
    id,
    created_at: new Date(call.now).toISOString(),
    reseller: project?.reseller ?? null,
    client_id: project?.client_id ?? null,
    user_id: user_bound ? call.caller.user.id : (project?.user_id ?? null),
    project_id,
    description,
    user_bound,
  };
  await write(call.records, "cloud_credential", { id, by: () => record });
}
