import type { Project } from "../../../api/governance.ts";
import type { StoredUser } from "../../../api/portal/users.ts";
import { GatewayError } from "../../../errors.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import { covers } from "../../scope.ts";
import { hashUsername } from "../../user.ts";
import { type Tenant, tenantOf } from "./tenant.ts";

type Tools = Pick<AreaTools, "records">;

/** What something is asked for by, and the field that says so. */
interface Asked {
  readonly id: string;
  readonly param: string;
}

/** The error of what is not there, or not in the caller's scope; `param` is the field that names it. */
export function notThere(kind: string, { id, param }: Asked): GatewayError {
  return new GatewayError("not_found", `There is no ${kind} \`${id.slice(0, 256)}\`.`, { param });
}

/** The id under which it is kept that a user belongs to a project. */
export function nameMembership(projectId: string, userId: string): string {
  return `${projectId}/${userId}`;
}

/** A project of the caller's place or below. Throws `not_found`. */
export async function readProject({ records }: PortalCall, id: string): Promise<Project> {
  const stored = await records.get("project", id);
  if (!stored) throw notThere("project", { id, param: "ai_project_id" });
  return stored.record;
}

/**
 * A project that the caller may put keys into: one of its place or below; for a caller who is a user, one that it is a user of.
 * Throws `not_found`.
 */
export async function readKeyProject({ records }: Tools, call: PortalCall, asked: Asked): Promise<Project> {
  const { user_id } = call.caller.place;
  const own = await call.records.get("project", asked.id);
  if (own) return own.record;
  const isUser = user_id !== undefined && (await call.records.get("project_user", nameMembership(asked.id, user_id)));
  const shared = isUser ? await records.get("project", asked.id) : undefined;
  if (!shared) throw notThere("project", asked);
  return shared.record;
}

/** A user by id or username, who must stand at the tenant or above it. Throws `not_found`, or `invalid_request` for another tenant's. */
export async function readUser(call: PortalCall, asked: Asked, tenant: Tenant): Promise<StoredUser> {
  const { id, param } = asked;
  const found = (await call.records.get("user", id)) ?? (await call.records.findByHash("user", hashUsername(id)));
  if (!found) throw notThere("user", asked);
  const user = found.record;
  if (covers(tenantOf(user), tenant)) return user;
  const message = `\`${param}\`: the user \`${user.username}\` belongs to another tenant.`;
  throw new GatewayError("invalid_request", message, { param });
}
