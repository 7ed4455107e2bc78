import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { readListed } from "../call/listed.ts";
import { hashUsername } from "../identity/user-scope.ts";
import { dropLinks } from "../passwords/links.ts";
import { permissionCatalogue } from "../permissions.ts";
import { holderOf } from "../profiles/assigned.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read, readAll, remove } from "../tenancy/record-access.ts";
import { createUser, showUser } from "./create-user.ts";
import { endSessions, passwordsArea } from "./passwords.ts";
import { rolesArea } from "./roles.ts";
import { tokensArea } from "./tokens.ts";

/** Users, roles, tokens and the audit log: our extension (portal-resolved.md, section 2). */
export function usersArea(deps: PortalDeps): AreaBackend<"users"> {
  return {
    ...rightsArea(deps),
    list: async (_input, call) => (await readListed(call, "user")).map(showUser),
    get: async ({ user_id }, { records }) => showUser(await read(records, "user", user_id)),
    create: async (input, call) => createUser(deps, input, call),
    async change({ user_id, username, ...person }, { records }) {
      await read(records, "user", user_id);
      const name = username === undefined ? {} : { username, hash: hashUsername(username) };
      return showUser(await change(records, "user", { id: user_id, by: (user) => ({ ...user, ...person, ...name }) }));
    },
    disable: async ({ user_id }, call) => switchUser(call, user_id, false),
    enable: async ({ user_id }, call) => switchUser(call, user_id, true),
    async delete({ user_id }, call) {
      const user = await read(call.records, "user", user_id);
      refuseSelf(call, user_id);
      await removeUser(call.records, user);
    },
  };
}

async function switchUser(call: PortalCall, id: string, enabled: boolean): Promise<undefined> {
  await read(call.records, "user", id);
  if (!enabled) refuseSelf(call, id);
  await change(call.records, "user", { id, by: (user) => ({ ...user, enabled }) });
}

/** A user who locks itself out might be the last who could undo it. */
function refuseSelf({ caller }: PortalCall, id: string): void {
  if (caller.user.id === id)
    throw new GatewayError(
      "conflict",
      "You cannot disable or delete the user of your own token. Another user must do it.",
    );
}

/** The roles, permissions, access tokens and passwords of users, and the log of what was changed. */
function rightsArea(deps: PortalDeps) {
  const permissions = () => [...permissionCatalogue];
  return { ...rolesArea(deps), ...tokensArea(deps), ...passwordsArea(deps), permissions, audit: readAuditLog };
}

/** Removes a user with its sessions, password, tokens and profiles. */
async function removeUser(records: Records, user: StoredUser): Promise<void> {
  const { id: user_id } = user;
  await endSessions(records, user_id);
  await records.remove("password", user_id);
  await records.remove("totp", user_id);
  await dropLinks(records, user_id);
  await records.remove("user_settings", user_id);
  for (const { id } of await readAll(records, "token", { user_id })) await records.remove("token", id);
  for (const { id } of await readAll(records, "profile_assignment", { holder: holderOf(user) }))
    await records.remove("profile_assignment", id);
  await remove(records, "user", user_id);
}

type AuditQuestion = InputOf<Areas["users"]["audit"]>;

/** Returns a page of the audit log of the caller's scope, the newest entry first. All filters together apply. */
async function readAuditLog(question: AuditQuestion, { records }: PortalCall) {
  const { user_id, operation, outcome, target, from, to, order = "newest", after, limit = 100 } = question;
  const where = { user_id, operation, outcome, target_id: target };
  const filters = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
  const period = { from: from && inUtc(from), until: to && inUtc(to) };
  const page = await records.list("audit", { where: filters, ...period, order, after, limit });
  const entries = page.records.map(({ record: { changed, ...entry } }) => ({
    ...entry,
    ...(changed && { changed: [...changed] }),
  }));
  return { entries, ...(page.next === undefined ? {} : { next: page.next }) };
}

/** An instant as records have it, so that their texts compare. */
function inUtc(instant: string): string {
  return new Date(instant).toISOString();
}
