import { createHash } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { TakeBackStep } from "../../../../src/operations/records/cloud.ts";
import type { Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf } from "../client/from-wire.ts";
import { defaultGrantableRoles } from "../client/options.ts";
import { grant, grantPath, grantsOf, roleIds } from "../identity.ts";
import type { ProjectCreation } from "../projects/create-project.ts";
import { type CredentialUser, type NewCredential, storeCredential, toHolder } from "./credentials.ts";

/** What a caller asks for. */
export interface CredentialRequest {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Names of roles that the credential's user gets on the project. */
  readonly roles: readonly string[];
  /** The name of the Keystone user that holds it; it is made when it is not there. */
  readonly holder: string;
}

/** A credential as it was stored, and who holds it. */
export interface CreatedCredential {
  readonly wire: Wire;
  readonly holder: CredentialUser;
}

/** How what was done is taken back, in the order in which it was done. */
type UndoSteps = TakeBackStep[];

/**
 * Stores a credential for a user of the portal's own making, which has no password, after giving it its roles: Keystone itself would
 * not ask whether the user has any there. What was begun is taken back when a later step fails; then `keep` writes the portal's record.
 */
export async function createCredential(
  project: Wire,
  { request, making }: { request: CredentialRequest; making: ProjectCreation },
  save: (wire: Wire) => Promise<void>,
): Promise<CreatedCredential> {
  const { cloud, deadline } = making;
  const roles = await roleIds(cloud, checkRoles(request.roles, making), deadline);
  const steps: UndoSteps = [];
  try {
    const user = await holderOf(project, { name: request.holder, making, steps });
    const userId = idOf(user.id);
    await grantAll({ projectId: idOf(project.id), userId, roles }, making, steps);
    const created = { projectId: idOf(project.id), userId, accessKey: request.accessKey, secretKey: request.secretKey };
    const wire = await store(created, making, steps);
    await save(wire);
    return { wire, holder: toHolder(user) };
  } catch (thrown) {
    const what = "Roles, a user or a credential that were made for it could not all be removed again.";
    if (steps.length > 0) await making.rollbacks.takeBack(steps.toReversed(), { thrown, what });
    throw thrown;
  }
}

/** `admin` on one project is, with OpenStack's usual policies, admin of the whole cloud: only roles of the options are given. */
function checkRoles(roles: readonly string[], { options }: ProjectCreation): readonly string[] {
  const { grantableRoles = defaultGrantableRoles } = options;
  const refuse = (problem: string): never => {
    const message = `\`roles\` ${problem}; there are ${grantableRoles.join(", ")}.`;
    throw new GatewayError("invalid_request", message, { param: "roles" });
  };
  if (roles.length === 0) refuse("is empty: a credential without a role opens nothing");
  for (const role of roles) if (!grantableRoles.includes(role)) refuse(`may not hold \`${role}\``);
  return [...new Set(roles)];
}

interface HolderQuestion {
  readonly name: string;
  readonly making: ProjectCreation;
  readonly steps: UndoSteps;
}

/** The user of that name in the project's domain, made where it is missing. */
async function holderOf(project: Wire, { name, making, steps }: HolderQuestion): Promise<Wire> {
  const { cloud, deadline } = making;
  const domain_id = idOf(project.domain_id);
  const query = { name, domain_id };
  const found = await cloud.list({ service: "identity", path: ["users"], key: "users", query }, deadline);
  const known = found.find((user) => user.name === name && user.domain_id === domain_id);
  if (known !== undefined) return known;
  const user = { name, domain_id, description: "Holds credentials that the portal made." };
  try {
    const answer = await cloud.ask({ service: "identity", method: "POST", path: ["users"], body: { user } }, deadline);
    const created = objectOf(answer.user) ?? {};
    steps.push({ kind: "delete", path: ["users", idOf(created.id)] });
    return created;
  } catch (thrown) {
    if (isUnanswered(thrown)) steps.push({ kind: "delete_user", name, domain_id });
    throw thrown;
  }
}

async function grantAll(
  { projectId, userId, roles }: { projectId: string; userId: string; roles: readonly string[] },
  { cloud, deadline }: ProjectCreation,
  steps: UndoSteps,
): Promise<void> {
  const present = await grantsOf(cloud, { projectId, userId }, deadline);
  for (const roleId of roles.filter((id) => !present.includes(id))) {
    const provided = { projectId, userId, roleId };
    const step = { kind: "delete", path: grantPath(provided) } as const;
    try {
      await grant(cloud, provided, deadline);
      steps.push(step);
    } catch (thrown) {
      steps.push({ ...step, is_unanswered: isUnanswered(thrown) });
      throw thrown;
    }
  }
}

/**
 * Keystone's id of a credential is the SHA-256 of the access key, known beforehand. So a credential that exists already is
 * distinct from one whose creation was not answered, which is removed.
 */
async function store(created: NewCredential, { cloud, deadline }: ProjectCreation, steps: UndoSteps): Promise<Wire> {
  const path = ["credentials", createHash("sha256").update(created.accessKey).digest("hex")];
  if ((await cloud.find({ service: "identity", path }, deadline)) !== undefined) throw taken();
  try {
    const wire = await storeCredential(cloud, created, deadline);
    steps.push({ kind: "delete", path: ["credentials", idOf(wire.id)] });
    return wire;
  } catch (thrown) {
    if (isUnanswered(thrown)) steps.push({ kind: "delete", path, is_unanswered: true });
    throw thrown;
  }
}

function taken(): GatewayError {
  return new GatewayError("conflict", "That access key is in use: choose another.", { param: "access_key" });
}
