import { GatewayError } from "../../../../src/engine/errors.ts";
import type { IaasCredential } from "../../../../src/operations/portal/infrastructure/iaas-resources.ts";
import { inParallel } from "../../../../src/portal/locks/in-parallel.ts";
import { parseJson } from "../../../shared/http/fault.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { idOf, objectOf, textOf, withoutNothing } from "../client/from-wire.ts";
import { isUsable } from "../identity.ts";
import { width } from "../tenants.ts";

/** The user of a credential as far as it matters here. */
export interface CredentialUser {
  readonly name: string | undefined;
  readonly enabled: boolean;
}

/** How a credential is shown. */
export interface Showing {
  readonly holder: CredentialUser;
  /** The credentials of a disabled project, or of one in a disabled domain, do not work. */
  readonly isProjectEnabled: boolean;
  /** Whether the caller may see the secret key. */
  readonly showsSecret: boolean;
}

/** A credential in the portal's words. `active`: its project and its user are enabled. */
export function toCredential(wire: Wire, { holder, isProjectEnabled, showsSecret }: Showing): IaasCredential {
  return withoutNothing({
    active: isProjectEnabled && holder.enabled,
    blob: blobOf(wire.blob, showsSecret),
    id: idOf(wire.id),
    project_id: textOf(wire.project_id),
    type: textOf(wire.type),
    user_id: textOf(wire.user_id),
    user_name: holder.name,
  });
}

/** The blob is JSON in a text; what cannot be read is not shown, for it may be a secret. */
function blobOf(blob: unknown, showsSecret: boolean): string | undefined {
  const fields = objectOf(parseJson(textOf(blob) ?? ""));
  if (fields === undefined) return undefined;
  const { access, secret } = fields;
  return JSON.stringify(showsSecret ? { access, secret } : { access });
}

const gone: CredentialUser = { name: undefined, enabled: false };

/** A user of Keystone; one that was deleted is nobody. */
async function readHolder(cloud: Cloud, userId: string, deadline: OperationDeadline): Promise<CredentialUser> {
  const user = objectOf((await cloud.find({ service: "identity", path: ["users", userId] }, deadline))?.user);
  return user === undefined ? gone : toHolder(user);
}

/** A user as a holder of credentials. */
export function toHolder(user: Wire): CredentialUser {
  return { name: textOf(user.name), enabled: user.enabled === true };
}

/**
 * The EC2 credentials of a project. Keystone ignores `project_id` in the query and lists every project's, secrets included: what
 * belongs to others is left out here (portal-backends.md, section 2).
 */
export async function listCredentials(
  cloud: Cloud,
  project: Wire,
  { deadline, showsSecret }: CredentialListing,
): Promise<IaasCredential[]> {
  const request = { service: "identity", path: ["credentials"], key: "credentials", query: { type: "ec2" } } as const;
  const all = await cloud.list(request, deadline);
  const own = all.filter(({ type, project_id }) => type === "ec2" && project_id === project.id);
  const userIds = [...new Set(own.map(({ user_id }) => idOf(user_id)))];
  const holders = await inParallel(userIds, width, (id) => readHolder(cloud, id, deadline));
  const byId = new Map(userIds.map((id, at) => [id, holders[at] ?? gone] as const));
  const isProjectEnabled = await isUsable(cloud, project, deadline);
  return own.map((wire) =>
    toCredential(wire, { holder: byId.get(idOf(wire.user_id)) ?? gone, isProjectEnabled, showsSecret }),
  );
}

interface CredentialListing {
  readonly deadline: OperationDeadline;
  readonly showsSecret: boolean;
}

/** The project's credential of that id. Another project's is not there. */
export async function findCredential(
  cloud: Cloud,
  { projectId, id }: { projectId: string; id: string },
  deadline: OperationDeadline,
): Promise<Wire> {
  const found = objectOf((await cloud.find({ service: "identity", path: ["credentials", id] }, deadline))?.credential);
  if (found !== undefined && found.project_id === projectId && found.type === "ec2") return found;
  throw new GatewayError("not_found", `There is no credential \`${id}\` of that project.`, { param: "credential_id" });
}

/** A credential to be made: the caller chooses both keys. */
export interface NewCredential {
  readonly projectId: string;
  readonly userId: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Stores a credential. Its id is the SHA-256 of the access key: the same one anywhere in the cloud is a `conflict`. */
export async function storeCredential(
  cloud: Cloud,
  created: NewCredential,
  deadline: OperationDeadline,
): Promise<Wire> {
  const blob = JSON.stringify({ access: created.accessKey, secret: created.secretKey });
  const credential = { type: "ec2", blob, project_id: created.projectId, user_id: created.userId };
  const request = {
    service: "identity",
    method: "POST",
    path: ["credentials"],
    body: { credential },
    isSecret: true,
  } as const;
  return objectOf((await cloud.ask(request, deadline)).credential) ?? {};
}

/** Deletes a credential; one that is gone already is no failure. */
export async function removeCredential(cloud: Cloud, id: string, deadline: OperationDeadline): Promise<void> {
  await cloud.find({ service: "identity", method: "DELETE", path: ["credentials", id] }, deadline);
}
