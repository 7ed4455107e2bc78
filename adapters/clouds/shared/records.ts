import type { StoredCloudProject } from "../../../src/operations/records/cloud.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { clientNames } from "../../../src/portal/context/client-names.ts";
import { readAll, write } from "../../../src/portal/tenancy/record-access.ts";
import type { ProjectOwner } from "./visibility.ts";

/** What of a project is the portal's own, in the words of its answers. */
export interface OwnWords {
  readonly client?: string | undefined;
  readonly client_name?: string | undefined;
  readonly reseller?: string | undefined;
  readonly updated?: string | undefined;
}

/** Gives the portal's own fields of a project; none for one that it has no record of. */
export async function ownWords(call: PortalCall): Promise<(record: StoredCloudProject | undefined) => OwnWords> {
  const nameClient = await clientNames(call);
  return (record) => {
    if (record === undefined) return {};
    const { client_id, reseller, updated_at } = record;
    return {
      client: client_id ?? undefined,
      client_name: nameClient(record),
      reseller: reseller ?? undefined,
      updated: updated_at,
    };
  };
}

/** Remembers whose a new project is. */
export async function keepProject(
  id: string,
  stored: ProjectOwner & { quota_profile: string },
  call: PortalCall,
): Promise<StoredCloudProject> {
  const updated_at = new Date(call.now).toISOString();
  const record = { id, created_at: updated_at, ...stored, region: call.region, updated_at };
  return write(call.records, "cloud_project", { id, by: () => record });
}

/** Remembers that a project was changed just now; the provider's first change of an unknown project makes its record. */
export async function touchProject(id: string, call: PortalCall): Promise<StoredCloudProject> {
  const updated_at = new Date(call.now).toISOString();
  const fresh = { id, created_at: updated_at, reseller: null, client_id: null, user_id: null, region: call.region };
  return write(call.records, "cloud_project", { id, by: (present) => ({ ...(present ?? fresh), updated_at }) });
}

/** Forgets a project and its credentials. */
export async function forgetProject(id: string, { records }: PortalCall): Promise<void> {
  for (const credential of await readAll(records, "cloud_credential", { project_id: id })) {
    await records.remove("cloud_credential", credential.id);
  }
  await records.remove("cloud_project", id);
}

/** What a caller says of a new credential beside its keys. */
export interface CredentialFacts {
  readonly project_id: string;
  readonly description: string;
  readonly user_bound: boolean;
}

/** The cloud's user that holds a credential: one of its maker, or one of the project. */
export function holderName({ project_id, user_bound }: CredentialFacts, { caller }: PortalCall): string {
  return user_bound ? `tollgate-user-${caller.user.id}` : projectHolder(project_id);
}

/** The cloud's user that holds the credentials of a project. */
export function projectHolder(projectId: string): string {
  return `tollgate-project-${projectId}`;
}

/** True for the name of a user that the portal made to hold credentials. */
export function isHolderName(name: string): boolean {
  return /^tollgate-(?:user|project)-/.test(name);
}

/** Remembers a credential where its project lies; one that is bound to a user is that user's. */
export async function keepCredential(id: string, facts: CredentialFacts, call: PortalCall): Promise<void> {
  const { project_id, description, user_bound } = facts;
  const project = (await call.records.get("cloud_project", project_id))?.record;
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
