import type { Customer, Project } from "../../engine/api/governance.ts";
import { GatewayError } from "../../engine/errors.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { hashUsername } from "../identity/user-scope.ts";
import { type Tenant, tenantOf } from "../tenancy/tenant.ts";
import { contains } from "../tenancy/tenant-scope.ts";

type FindDeps = Pick<PortalDeps, "records">;

/** The id of a record, and the field of the input that names it. */
interface RecordReference {
  readonly id: string;
  readonly param: string;
}

/** Returns the error for a record that does not exist or is outside the caller's scope; `param` is the field that names it. */
export function notFoundAs(kind: string, { id, param }: RecordReference): GatewayError {
  return new GatewayError("not_found", `There is no ${kind} \`${id.slice(0, 256)}\`.`, { param });
}

/** Returns the id of the record of a user's membership in a project. */
export function nameMembership(projectId: string, userId: string): string {
  return `${projectId}/${userId}`;
}

/** Returns a project of the caller's scope. Throws `not_found`. */
export async function readProject({ records }: PortalCall, id: string): Promise<Project> {
  const stored = await records.get("project", id);
  if (!stored) throw notFoundAs("project", { id, param: "ai_project_id" });
  return stored.record;
}

/**
 * Returns a project that the caller may create keys in: one of its scope or, for a caller at user level, one that it is a member of.
 * Throws `not_found`.
 */
export async function readKeyProject(
  { records }: FindDeps,
  call: PortalCall,
  reference: RecordReference,
): Promise<Project> {
  const { user_id } = call.caller.scope;
  const own = await call.records.get("project", reference.id);
  if (own) return own.record;
  const isUser =
    user_id !== undefined && (await call.records.get("project_user", nameMembership(reference.id, user_id)));
  const shared = isUser ? await records.get("project", reference.id) : undefined;
  if (!shared) throw notFoundAs("project", reference);
  return shared.record;
}

/** Returns the customer that bounds a record, whether the caller sees it or not. */
export async function readCustomer({ records }: FindDeps, id: string | undefined): Promise<Customer | undefined> {
  return id === undefined ? undefined : (await records.get("customer", id))?.record;
}

/**
 * Returns a user by id or username. Throws `not_found`, or `invalid_request` for a user who belongs neither to the tenant nor to a level
 * above it.
 */
export async function readUser(call: PortalCall, reference: RecordReference, tenant: Tenant): Promise<StoredUser> {
  const { id, param } = reference;
  const found = (await call.records.get("user", id)) ?? (await call.records.findByHash("user", hashUsername(id)));
  if (!found) throw notFoundAs("user", reference);
  const user = found.record;
  if (contains(tenantOf(user), tenant)) return user;
  const message = `\`${param}\`: the user \`${user.username}\` belongs to another tenant.`;
  throw new GatewayError("invalid_request", message, { param });
}
