import { beforeEach, describe, expect, it } from "vitest";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { noon, stores } from "../support/rig.ts";

const everything = ["*"];

describe.each(stores)("users, roles and tokens: %s", (_name, open) => {
  let gateway: Gateway;
  let admin: PortalCalls;

  beforeEach(async () => {
    gateway = await openGateway(await open());
    admin = gateway.portal.as(await gateway.portal.authenticate(gateway.token));
  });

  /** A user with its own role, and its functions as its token gives them. */
  async function join(place: object, permissions: string[], granted = everything) {
    const name = `user-${Math.floor(gateway.clock.now())}-${(await admin.users.list({})).length}`;
    const role = await admin.users.createRole({ name, permissions });
    await makePlaces(gateway.portal, place);
    const user = await admin.users.create({ username: name, roles: [role.id], ...place });
    const { id, value } = await admin.users.createToken({ user_id: user.id, name: "t", permissions: granted });
    return { user, role, token_id: id, value, calls: gateway.portal.as(await gateway.portal.authenticate(value)) };
  }

  const acme = { reseller: "acme", client_id: "c-1", level: "client" } as const;

  it("the first start makes one user with one token that may do everything, once", async () => {
    expect(await admin.users.list({})).toMatchObject([
      { username: "admin", level: "provider", reseller: null, client_id: null },
    ]);
    expect(await gateway.portal.startFirst()).toBeUndefined();
    const caller = await gateway.portal.authenticate(gateway.token);
    expect(caller.permissions.size).toBe(gateway.portal.rows.length);
  });

  it("a user stands where it is put, and sees what lies there and below", async () => {
    const boss = await join({ reseller: "acme" }, everything);
    const client = await join(acme, everything);
    const end = await join({ reseller: "acme", client_id: "c-1" }, everything);
    await join({ reseller: "other" }, everything);
    const names = async (calls: PortalCalls) => (await calls.users.list({})).map(({ id }) => id);
    expect(await names(boss.calls)).toEqual([boss.user.id, client.user.id, end.user.id].toSorted()); // born at once: by id
    expect(await names(client.calls)).toEqual([client.user.id, end.user.id].toSorted());
    expect(await names(end.calls)).toEqual([end.user.id]);
    expect(await client.calls.users.get({ user_id: end.user.id })).toMatchObject({ level: "user", client_id: "c-1" });
    await expect(client.calls.users.get({ user_id: boss.user.id })).rejects.toMatchObject({ code: "not_found" });
    await expect(client.calls.users.create({ username: "x", reseller: "other" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(admin.users.create({ username: "x", client_id: "c" })).rejects.toMatchObject({ param: "reseller" });
    await expect(admin.users.create({ username: "x", level: "client" })).rejects.toMatchObject({ param: "level" });
  });

  it("a username is taken once, in whatever letter case", async () => {
    await admin.users.create({ username: "Ada" });
    await expect(admin.users.create({ username: "ada" })).rejects.toMatchObject({ code: "conflict" });
    const { id } = await admin.users.create({ username: "grace" });
    await expect(admin.users.change({ user_id: id, username: "ADA" })).rejects.toMatchObject({ code: "conflict" });
    expect(await admin.users.change({ user_id: id, username: "Grace", email: "grace@example.com" })).toMatchObject({
      username: "Grace",
      email: "grace@example.com",
    });
  });

  it("a token does what it names, as far as its user's roles do, from the next call on", async () => {
    const { user, role, token_id, value, calls } = await join(acme, ["users-get", "property-get"], ["users-get"]);
    await calls.users.list({});
    await expect(calls.properties.list({})).rejects.toMatchObject({ code: "permission_denied", param: "property-get" });
    await admin.users.setPermissions({ user_id: user.id, token_id, permissions: ["property-get"] });
    const changed = await gateway.portal.authenticate(value);
    expect([...changed.permissions]).toEqual(["property-get"]);
    await admin.users.changeRole({ role_id: role.id, permissions: ["users-get"] });
    expect([...(await gateway.portal.authenticate(value)).permissions]).toEqual([]);
    const grant = admin.users.setPermissions({ user_id: user.id, token_id, permissions: ["property-get"] });
    await expect(grant).rejects.toMatchObject({ code: "permission_denied", param: "property-get" });
  });

  it("nobody gives what it does not have: by a role, to a token, or to a user", async () => {
    const held = ["roles-post", "role-patch", "role_assign-post", "users-post", "user_tokens-post", "user_token-patch"];
    const { user, role, calls } = await join(acme, held);
    const strong = await join(acme, everything);
    const denied = { code: "permission_denied" };
    await expect(calls.users.createRole({ name: "r", permissions: ["ai-get"] })).rejects.toMatchObject(denied);
    await expect(calls.users.createRole({ name: "r", permissions: ["*"] })).rejects.toMatchObject(denied);
    const own = await calls.users.createRole({ name: "own", permissions: ["roles-post"] });
    await expect(calls.users.changeRole({ role_id: own.id, permissions: ["ai-get"] })).rejects.toMatchObject(denied);
    await expect(calls.users.assignRole({ role_id: strong.role.id, user_id: user.id })).rejects.toMatchObject(denied);
    await expect(calls.users.create({ username: "x", roles: [strong.role.id] })).rejects.toMatchObject(denied);
    const token = { user_id: strong.user.id, name: "t" };
    await expect(calls.users.createToken({ ...token, permissions: ["ai-get"] })).rejects.toMatchObject(denied);
    await expect(calls.users.createToken({ ...token, permissions: ["*"] })).rejects.toMatchObject(denied);
    const taken = calls.users.setPermissions({
      user_id: strong.user.id,
      token_id: strong.token_id,
      permissions: ["*"],
    });
    await expect(taken).rejects.toMatchObject(denied);
    await expect(calls.users.changeRole({ role_id: role.id, name: "mine" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("a name that is no permission is refused, and where it stands", async () => {
    const unknown = admin.users.createRole({ name: "r", permissions: ["ai-get", "ai-fetch"] });
    await expect(unknown).rejects.toMatchObject({ code: "invalid_request", param: "permissions.1" });
  });

  it("a disabled user's tokens are refused until it is enabled; nobody disables or deletes itself", async () => {
    const { user, value } = await join(acme, everything);
    await admin.users.disable({ user_id: user.id });
    await expect(gateway.portal.authenticate(value)).rejects.toMatchObject({ code: "token_not_found" });
    await admin.users.enable({ user_id: user.id });
    await gateway.portal.authenticate(value);
    for (const verb of ["disable", "delete"] as const) {
      await expect(admin.users[verb]({ user_id: "usr_admin" })).rejects.toMatchObject({ code: "conflict" });
    }
  });

  it("a deleted user takes its tokens along; a revoked token is unknown", async () => {
    const { user, token_id, value } = await join(acme, everything);
    const other = await admin.users.createToken({ user_id: user.id, name: "o", permissions: everything });
    await admin.users.revokeToken({ user_id: user.id, token_id });
    await expect(gateway.portal.authenticate(value)).rejects.toMatchObject({ code: "token_not_found" });
    await expect(admin.users.revokeToken({ user_id: "usr_admin", token_id: other.id })).rejects.toMatchObject({
      code: "not_found",
    });
    await admin.users.delete({ user_id: user.id });
    await expect(gateway.portal.authenticate(other.value)).rejects.toMatchObject({ code: "token_not_found" });
    await expect(admin.users.tokens({ user_id: user.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("a token is good from its start to before its end", async () => {
    const dates = { starts_at: at(1_000), ends_at: at(3_000) };
    const { value } = await admin.users.createToken({ user_id: "usr_admin", name: "t", ...dates });
    await expect(gateway.portal.authenticate(value)).rejects.toMatchObject({ code: "token_not_yet_valid" });
    await gateway.clock.advance(1_000);
    await gateway.portal.authenticate(value);
    await gateway.clock.advance(1_999);
    await gateway.portal.authenticate(value);
    await gateway.clock.advance(1);
    await expect(gateway.portal.authenticate(value)).rejects.toMatchObject({ code: "token_expired" });
    const dead = { name: "t", ends_at: at(2_999) }; // it ended a millisecond ago
    await expect(admin.users.createToken({ user_id: "usr_admin", ...dead })).rejects.toMatchObject({
      message: expect.stringContaining("is in the past"),
    });
    const turned = { starts_at: at(9_000), ends_at: at(8_000) };
    await expect(admin.users.createToken({ user_id: "usr_admin", name: "t", ...turned })).rejects.toMatchObject({
      param: "ends_at",
    });
    const early = { starts_at: "0000-01-01T00:00:00+01:00" }; // a year before the first that an answer can show
    await expect(admin.users.createToken({ user_id: "usr_admin", name: "t", ...early })).rejects.toMatchObject({
      code: "invalid_request",
      param: "starts_at",
    });
    expect(await admin.users.tokens({ user_id: "usr_admin" })).toHaveLength(2);
  });

  it("a role is used below where it lies, not beside, and stays while somebody has it", async () => {
    const { calls, user } = await join(acme, everything);
    const beside = await join({ reseller: "other" }, everything);
    const role = await calls.users.createRole({ name: "reader", permissions: ["ai-get"] });
    const misplaced = admin.users.assignRole({ role_id: role.id, user_id: beside.user.id });
    await expect(misplaced).rejects.toMatchObject({ code: "invalid_request", param: "role_id" });
    await admin.users.assignRole({ role_id: role.id, user_id: user.id });
    await expect(admin.users.deleteRole({ role_id: role.id })).rejects.toMatchObject({ code: "conflict" });
    await admin.users.unassignRole({ role_id: role.id, user_id: user.id });
    await expect(admin.users.unassignRole({ role_id: role.id, user_id: user.id })).rejects.toMatchObject({
      code: "not_found",
    });
    await admin.users.deleteRole({ role_id: role.id });
    expect((await calls.users.roles({})).map(({ id }) => id)).toContain("role_administrator"); // inherited
    expect((await beside.calls.users.roles({})).map(({ name }) => name)).not.toContain("reader");
  });

  it("every change is in the audit log, also a refused one; no secret is", async () => {
    const { value, calls, user } = await join(acme, ["users-get"]);
    await calls.users.delete({ user_id: "usr_admin" }).catch(() => {});
    const { entries } = await admin.users.audit({ limit: 1_000, order: "oldest" });
    expect(entries.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      "users.createRole ok",
      "tenants.create ok",
      "tenants.create ok",
      "users.create ok",
      "users.createToken ok",
      "users.delete permission_denied",
    ]);
    expect(entries.at(-1)).toMatchObject({ user_id: user.id, target: { user_id: "usr_admin" }, region: "eu-1" });
    expect(JSON.stringify(entries)).not.toContain(value.slice(6));
    const first = await admin.users.audit({ limit: 3, order: "oldest" });
    const rest = await admin.users.audit({ limit: 3, order: "oldest", after: first.next ?? "" });
    expect([...first.entries, ...rest.entries]).toEqual(entries);
    expect((await admin.users.audit({ user_id: user.id })).entries).toHaveLength(1);
  });
});

function at(ms: number): string {
  return new Date(noon + ms).toISOString();
}
