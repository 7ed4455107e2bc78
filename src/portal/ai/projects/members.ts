import { present } from "../../../engine/policy/drafts.ts";
import type { AiProjectUser } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { StoredProjectUser } from "../../../operations/records/ai.ts";
import type { StoredUser } from "../../../operations/records/users.ts";
import type { PortalCall } from "../../call/call.ts";
import { hashUsername } from "../../identity/user-scope.ts";
import type { AreaBackend } from "../../regions.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { tenantOf } from "../../tenancy/tenant.ts";
import { nameMembership, notFoundAs, readProject, readUser } from "../find.ts";

/** The users of projects, who may create keys of their own in them. */
export function membersOf() {
  return {
    async users({ ai_project_id }, call) {
      await readProject(call, ai_project_id);
      const members = await readAll(call.records, "project_user", { project_id: ai_project_id });
      const found = await Promise.all(members.map(async ({ user_id }) => await call.records.get("user", user_id)));
      return found.flatMap((stored) => (stored ? [showUser(stored.record)] : []));
    },
    async addUsers({ ai_project_id, users_ids }, call) {
      const { metadata } = await readProject(call, ai_project_id);
      const tenant = tenantOf(metadata);
      const users: StoredUser[] = [];
      for (const [position, id] of users_ids.entries())
        users.push(await readUser(call, { id, param: `users_ids.${position}` }, tenant));
      for (const { id } of users)
        await call.records.put("project_user", toMember(ai_project_id, id, { call, tenant }), 0); // keeps a record that exists
      return undefined;
    },
    async removeUsers({ ai_project_id, users_ids }, call) {
      await readProject(call, ai_project_id);
      const members = await readAll(call.records, "project_user", { project_id: ai_project_id });
      const known = new Set(members.map(({ user_id }) => user_id));
      const ids = await Promise.all(users_ids.map(async (id) => (known.has(id) ? id : await idOfName(call, id))));
      const position = ids.findIndex((id) => !known.has(id));
      if (position >= 0)
        throw notFoundAs("user of the project", { id: users_ids[position] ?? "", param: `users_ids.${position}` });
      for (const id of ids) await call.records.remove("project_user", nameMembership(ai_project_id, id));
      return undefined;
    },
  } satisfies AreaBackend<"ai">;
}

/** Returns the id of the user with that name; empty where there is none. */
async function idOfName({ records }: PortalCall, username: string): Promise<string> {
  return (await records.findByHash("user", hashUsername(username)))?.record.id ?? "";
}

/** Removes all memberships of a project. */
export async function removeMembers({ records }: PortalCall, projectId: string): Promise<void> {
  for (const { id } of await readAll(records, "project_user", { project_id: projectId }))
    await records.remove("project_user", id);
}

interface Joining {
  readonly call: PortalCall;
  readonly tenant: ReturnType<typeof tenantOf>;
}

function toMember(project_id: string, user_id: string, { call, tenant }: Joining): StoredProjectUser {
  const { reseller = null, client_id = null } = tenant;
  const created_at = new Date(call.now).toISOString();
  return { id: nameMembership(project_id, user_id), created_at, reseller, client_id, user_id, project_id };
}

function showUser({ id, username, enabled, first_name, last_name, email, reseller, client_id }: StoredUser) {
  const client = client_id;
  const person: AiProjectUser = {
    id,
    username,
    enabled: String(enabled),
    ...present({ client, client_id, email, firstName: first_name, lastName: last_name, reseller }),
  };
  return person;
}
