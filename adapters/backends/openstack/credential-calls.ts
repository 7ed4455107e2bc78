import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { readAll } from "../../../src/portal/shelf.ts";
import { holderName, keepCredential } from "../shared/records.ts";
import { projectMissing, recordOf } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import type { Wire } from "./cloud.ts";
import { createCredential } from "./create-credential.ts";
import { findCredential, listCredentials, removeCredential, toCredential } from "./credentials.ts";
import { idOf, inOrder } from "./from-wire.ts";
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
        const kept = await readAll(call.records, "cloud_credential", { project_id });
        const createdAt = new Map(kept.map(({ id, created_at }) => [id, created_at] as const));
        const showsSecret = call.caller.permissions.has(secretsPermission);
        const credentials = await listCredentials(cloud, project, { work, showsSecret });
        return inOrder(credentials, ({ id }) => createdAt.get(id));
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
  const { project_id, access_key, secret_key, roles } = input;
  const project = await seeProject(site, project_id, { call, work });
  const wish = { accessKey: access_key, secretKey: secret_key, roles, holder: holderName(input, call) };
  const keep = (wire: Wire) => keepCredential(idOf(wire.id), input, call);
  const { wire, holder } = await createCredential(project, { wish, making: { ...site, work } }, keep);
  const showing = { isProjectEnabled: project.enabled === true, showsSecret: false };
  return { credential: toCredential(wire, { ...showing, holder }) };
}
