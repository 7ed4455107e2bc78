import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { holderName, keepCredential } from "../../shared/records.ts";
import { projectMissing, recordOf } from "../../shared/visibility.ts";
import type { Wire } from "../client/cloud.ts";
import { idOf, inOrder } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { findProject, isUsable, refuseOwnCredential } from "../identity.ts";
import { openRollbackLog } from "../rollbacks/log.ts";
import { createCredential } from "./create-credential.ts";
import { findCredential, listCredentials, removeCredential, toCredential } from "./credentials.ts";

type CredentialCalls = Pick<Required<AreaBackend<"iaas">>, "credentials" | "createCredential" | "deleteCredential">;
type CredentialInput = Parameters<CredentialCalls["createCredential"]>[0];

/** Who may read a project's keypair may see the secrets of its credentials. */
const secretsPermission = "keypair-get";

/** The operations on a project's EC2 credentials, which Keystone keeps. */
export function credentialCalls(cloudContext: CloudContext): CredentialCalls {
  const { cloud } = cloudContext;
  return {
    credentials: ({ project_id }, call) =>
      cloudContext.run(call, async (deadline) => {
        const project = await seeProject(cloudContext, project_id, { call, deadline });
        const stored = await readAll(call.records, "cloud_credential", { project_id });
        const createdAt = new Map(stored.map(({ id, created_at }) => [id, created_at] as const));
        const showsSecret = call.caller.permissions.has(secretsPermission);
        const credentials = await listCredentials(cloud, project, { deadline, showsSecret });
        return inOrder(credentials, ({ id }) => createdAt.get(id));
      }),
    createCredential: (input, call) =>
      cloudContext.run(call, (deadline) => create(cloudContext, input, { call, deadline })),
    deleteCredential: ({ project_id, credential_id }, call) =>
      cloudContext.run(call, async (deadline) => {
        await seeProject(cloudContext, project_id, { call, deadline });
        const found = await findCredential(cloud, { projectId: project_id, id: credential_id }, deadline);
        await refuseOwnCredential(cloud, found, deadline);
        await removeCredential(cloud, credential_id, deadline);
        await call.records.remove("cloud_credential", credential_id);
        return undefined;
      }),
  };
}

interface CredentialOperation {
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
}

async function seeProject(
  { cloud }: CloudContext,
  projectId: string,
  { call, deadline }: CredentialOperation,
): Promise<Wire> {
  await recordOf(projectId, call);
  const project = await findProject(cloud, projectId, deadline);
  if (project === undefined) throw projectMissing(projectId);
  return project;
}

async function create(cloudContext: CloudContext, input: CredentialInput, { call, deadline }: CredentialOperation) {
  const { project_id, access_key, secret_key, roles } = input;
  const project = await seeProject(cloudContext, project_id, { call, deadline });
  const isProjectEnabled = await isUsable(cloudContext.cloud, project, deadline); // before: nothing may fail once it is made
  const request = { accessKey: access_key, secretKey: secret_key, roles, holder: holderName(input, call) };
  const save = (wire: Wire) => keepCredential(idOf(wire.id), input, call);
  const owner = { reseller: null, client_id: null, user_id: null, ...(await recordOf(project_id, call)) };
  const { reseller, client_id } = owner;
  const log = openRollbackLog({ ...cloudContext, call, owner: { reseller, client_id, user_id: null } });
  const making = { ...cloudContext, deadline, rollbacks: log };
  // One after the other: a call that fails takes back the user and the roles that it made, which another would be using.
  const inTurn = <T>(work: () => Promise<T>) =>
    call.withLease(`iaas/${call.region}/credentials/${project_id}`, () =>
      call.withLease(`iaas/${call.region}/holder/${request.holder}`, work),
    );
  const { wire, holder } = await inTurn(() => createCredential(project, { request, making }, save));
  return { credential: toCredential(wire, { isProjectEnabled, showsSecret: false, holder }) };
}
