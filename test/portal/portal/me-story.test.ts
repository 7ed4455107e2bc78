import { describe, expect, it } from "vitest";
import { type Answer, type Asked, type Gateway, openGateway } from "../support/gateway.ts";
import { noon, stores } from "../support/rig.ts";

const day = 86_400_000;
const inDays = (days: number) => new Date(noon + days * day).toISOString();
const password = "correct horse battery";
const page = { "auth-token": undefined, host: "localhost", "x-tg-console": "1", "sec-fetch-site": "same-origin" };
const errorOf = ({ status, body }: Answer) => {
  const { type, param } = (body as { error?: { type: string; param: string | null } } | undefined)?.error ?? {};
  return [status, type, param];
};

interface Person {
  readonly id: string;
  readonly token: string;
  ask(route: string, body?: unknown, headers?: Asked["headers"]): Promise<Answer>;
}

/** A user of a client with a role, and a token of all that the role permits. */
async function hire(gateway: Gateway, username: string, permissions: readonly string[]): Promise<Person> {
  const post = async (path: string, body: object) =>
    (await gateway.ask({ method: "POST", path, body })).body as { id: string };
  await post("/tenants", { reseller: "acme" });
  await post("/tenants", { reseller: "acme", client_id: "c-1" });
  const role = await post("/roles", { name: `role of ${username}`, permissions });
  const user = await post("/users", { username, reseller: "acme", client_id: "c-1", roles: [role.id] });
  const made = await post(`/users/${user.id}/tokens`, { name: "first", permissions: ["*"] });
  const { value: token } = made as unknown as { value: string };
  const ask: Person["ask"] = (route, body, headers = {}) => {
    const [method = "", path = ""] = route.split(" ");
    return gateway.ask({ method, path, body, headers: { "auth-token": token, ...headers } });
  };
  return { id: user.id, token, ask };
}

const own = ["get", "patch"].map((method) => `me-${method}`);
const all = [
  ...own,
  ...["me_password-put", "me_tokens-get", "me_tokens-post", "me_token-delete", "me_settings-get", "me_settings-put"],
  ...["me_sessions-get", "me_session-delete", "me_sessions-delete"],
];

async function openWithAnn(open: (typeof stores)[number][1]) {
  const store = await open();
  const gateway = await openGateway(store);
  return { store, gateway, ann: await hire(gateway, "ann", all) };
}

/** Logs in on a page of the console. */
async function logIn(gateway: Gateway, body: object) {
  const answer = await gateway.ask({ method: "POST", path: "/session", body, headers: page });
  expect(answer.status).toBe(200);
  const { csrf } = answer.body as { csrf: string };
  return { ...page, cookie: answer.headers["set-cookie"]?.split(";")[0] ?? "", "x-csrf": csrf };
}

describe.each(stores)("the own account over HTTP: %s", (_name, open) => {
  it("a user reads and changes its own fields, removes one with null, and no others", async () => {
    const { ann, gateway } = await openWithAnn(open);
    const { body } = await ann.ask("GET /me");
    expect(body).toMatchObject({ id: ann.id, username: "ann", has_password: false });
    const changed = await ann.ask("PATCH /me", { first_name: "Ann", email: "ann@example.com", language: "fr" });
    expect(changed.body).toMatchObject({ first_name: "Ann", email: "ann@example.com", language: "fr" });
    expect((await ann.ask("GET /users")).headers["content-language"]).toBe("fr");
    const removed = await ann.ask("PATCH /me", { first_name: null, language: null });
    expect(removed.body).not.toHaveProperty("first_name");
    expect(removed.body).not.toHaveProperty("language");
    expect(removed.body).toMatchObject({ email: "ann@example.com" });
    for (const field of ["username", "roles", "level", "enabled", "reseller"])
      expect(errorOf(await ann.ask("PATCH /me", { [field]: "x" }))).toEqual([400, "invalid_request", field]);
    const audit = (await gateway.ask({ method: "GET", path: "/audit?operation=me.change" })).body;
    expect(audit).toMatchObject({
      entries: [{}, {}, {}, {}, {}, { changed: ["first_name", "language"] }, { outcome: "ok" }],
    });
  });

  it("its own tokens permit no more than it, end with the one that made them, and are no one else's", async () => {
    const { ann, gateway } = await openWithAnn(open);
    const bob = await hire(gateway, "bob", all);
    const made = await ann.ask("POST /me/tokens", { name: "laptop", permissions: ["me-get"], ends_at: inDays(1) });
    const { value, id } = made.body as { value: string; id: string };
    expect((await ann.ask("GET /me", undefined, { "auth-token": value })).status).toBe(200);
    expect(errorOf(await ann.ask("POST /me/tokens", { name: "x", permissions: ["users-get"] }))).toEqual([
      ...[403, "permission_denied", "users-get"],
    ]);
    const listed = async (of: Person) =>
      ((await of.ask("GET /me/tokens")).body as { name: string }[]).map(({ name }) => name);
    expect((await listed(ann)).sort()).toEqual(["first", "laptop"]);
    expect(await listed(bob)).toEqual(["first"]);
    expect(errorOf(await bob.ask(`DELETE /me/tokens/${id}`))).toEqual([404, "not_found", "token_id"]);
    expect((await ann.ask(`DELETE /me/tokens/${id}`)).status).toBe(204);
    expect((await ann.ask("GET /me", undefined, { "auth-token": value })).status).toBe(401);
  });

  it("settings are the user's own, last, and have at most 32 KiB", async () => {
    const { ann, gateway, store } = await openWithAnn(open);
    const bob = await hire(gateway, "bob", all);
    expect((await ann.ask("GET /me/settings")).body).toEqual({ settings: {} });
    const settings = { views: [{ name: "Fehler", filter: { status: [429] } }], density: "compact" };
    expect((await ann.ask("PUT /me/settings", { settings })).status).toBe(204);
    expect((await ann.ask("GET /me/settings")).body).toEqual({ settings });
    expect((await bob.ask("GET /me/settings")).body).toEqual({ settings: {} });
    const filled = (bytes: number) => ({ settings: { x: `${"é".repeat((bytes - 9) / 2)}e` } }); // {"x":"…e"}
    expect((await ann.ask("PUT /me/settings", filled(32_769))).status).toBe(400);
    expect((await ann.ask("PUT /me/settings", filled(32_767))).status).toBe(204);
    expect(errorOf(await ann.ask("PUT /me/settings", filled(40_001)))).toEqual([400, "invalid_request", "settings"]);
    await gateway.ask({ method: "DELETE", path: `/users/${ann.id}` });
    expect(await store.records.count("user_settings")).toBe(0);
  });

  it("sessions are listed, the present one marked; others end at once", async () => {
    const { ann, gateway } = await openWithAnn(open);
    const first = await logIn(gateway, { token: ann.token });
    const second = await logIn(gateway, { token: ann.token });
    const list = async (headers: object) =>
      (await ann.ask("GET /me/sessions", undefined, { ...headers })).body as { id: string; current: boolean }[];
    expect((await list(second)).map(({ current }) => current).sort()).toEqual([false, true]);
    const [other] = (await list(second)).filter(({ current }) => !current);
    const admin = await gateway.ask({ method: "DELETE", path: `/me/sessions/${other?.id}` });
    expect(errorOf(admin)).toEqual([404, "not_found", "session_id"]);
    expect((await ann.ask(`DELETE /me/sessions/${other?.id}`, undefined, second)).status).toBe(204);
    expect((await ann.ask("GET /session", undefined, first)).status).toBe(401);
    await logIn(gateway, { token: ann.token });
    expect((await ann.ask("DELETE /me/sessions", undefined, second)).status).toBe(204);
    expect(await list(second)).toMatchObject([{ current: true }]);
  });

  it("the first password needs all permissions of the user, another one the old one; other sessions end", {
    timeout: 60_000,
  }, async () => {
    const { ann, gateway } = await openWithAnn(open);
    const weak = await ann.ask("POST /me/tokens", { name: "weak", permissions: ["me_password-put", "me-get"] });
    const less = { "auth-token": (weak.body as { value: string }).value };
    const set = (body: object, headers?: object) => ann.ask("PUT /me/password", body, { ...headers });
    expect(errorOf(await set({ password }, less)).slice(0, 2)).toEqual([403, "permission_denied"]);
    expect(errorOf(await set({ password: "short" }))).toEqual([400, "invalid_request", "password"]);
    expect((await set({ password })).status).toBe(204);
    expect((await ann.ask("GET /me")).body).toMatchObject({ has_password: true });
    const here = await logIn(gateway, { username: "ann", password });
    const there = await logIn(gateway, { username: "ann", password });
    const fresh = "another horse battery";
    expect(errorOf(await set({ password: fresh }, here))).toEqual([400, "invalid_request", "old_password"]);
    expect(errorOf(await set({ password: fresh, old_password: "wrong" }, here))).toEqual([
      ...[400, "invalid_request", "old_password"],
    ]);
    expect((await set({ password: fresh, old_password: password }, here)).status).toBe(204);
    expect((await ann.ask("GET /session", undefined, here)).status).toBe(200);
    expect((await ann.ask("GET /session", undefined, there)).status).toBe(401);
    await logIn(gateway, { username: "ann", password: fresh });
    for (let count = 0; count < 10; count++) await set({ password, old_password: "wrong" });
    expect(errorOf(await set({ password, old_password: fresh })).slice(0, 2)).toEqual([429, "request_limited"]);
  });
});

describe.each(stores)("the name and the end of a token over HTTP: %s", (_name, open) => {
  async function openToken(ends_at: string | undefined) {
    const { ann, gateway } = await openWithAnn(open);
    const path = `/users/${ann.id}/tokens`;
    const { body } = await gateway.ask({
      method: "POST",
      path,
      body: { name: "job", permissions: ["me-get"], ends_at },
    });
    const { id, value } = body as { id: string; value: string };
    const patch = (fields: object, headers = {}) =>
      gateway.ask({ method: "PATCH", path: `${path}/${id}`, body: fields, headers });
    return { ann, gateway, id, value, patch };
  }

  it("is renamed and extended, and shortened with a warning", async () => {
    const { gateway, patch, value } = await openToken(inDays(1));
    const longer = await patch({ name: "nightly job", ends_at: inDays(30) });
    expect(longer.body).toMatchObject({ name: "nightly job", ends_at: inDays(30), permissions: ["me-get"] });
    expect(longer.headers["x-tg-warnings"]).toBeUndefined();
    await gateway.clock.advance(2 * day);
    const use = () => gateway.ask({ method: "GET", path: "/me", headers: { "auth-token": value } });
    expect((await use()).status).toBe(200);
    const shorter = await patch({ ends_at: inDays(3) });
    expect(decodeURIComponent(shorter.headers["x-tg-warnings"] ?? "")).toContain(inDays(3));
    expect((await patch({ ends_at: null })).body).toMatchObject({ ends_at: null });
    expect(errorOf(await patch({ ends_at: inDays(1) }))).toEqual([400, "invalid_request", "ends_at"]);
    expect((await use()).status).toBe(200);
  });

  it("one that has ended stays so, and says why", async () => {
    const { gateway, patch } = await openToken(inDays(1));
    await gateway.clock.advance(day);
    const refused = await patch({ ends_at: inDays(9) });
    expect(errorOf(refused)).toEqual([409, "conflict", "ends_at"]);
    expect((refused.body as { error: { message: string } }).error.message).toContain(`ended at ${inDays(1)}`);
    expect((await patch({ name: "old job" })).body).toMatchObject({ name: "old job", ends_at: inDays(1) });
  });

  it("one of a disabled user is not extended", async () => {
    const { gateway, ann, patch } = await openToken(inDays(1));
    await gateway.ask({ method: "PATCH", path: `/users/${ann.id}/disable` });
    expect(errorOf(await patch({ ends_at: inDays(9) }))).toEqual([409, "conflict", "ends_at"]);
  });

  it("lasts no longer than the token that extends it, which cannot be itself nor have fewer permissions", async () => {
    const { gateway, patch, id, ann } = await openToken(inDays(1));
    const mint = async (permissions: string[], ends_at?: string) => {
      const [admin] = (await gateway.ask({ method: "GET", path: "/users?search=admin" })).body as { id: string }[];
      const path = `/users/${admin?.id}/tokens`;
      const body = { name: `t ${permissions.length} ${ends_at}`, permissions, ends_at };
      return { "auth-token": ((await gateway.ask({ method: "POST", path, body })).body as { value: string }).value };
    };
    const brief = await mint(["*"], inDays(5));
    for (const ends_at of [inDays(6), null])
      expect(errorOf(await patch({ ends_at }, brief))).toEqual([400, "invalid_request", "ends_at"]);
    expect((await patch({ ends_at: inDays(5) }, brief)).status).toBe(200);
    const less = await mint(["user_token-patch"]);
    expect(errorOf(await patch({ ends_at: inDays(6) }, less)).slice(0, 2)).toEqual([403, "permission_denied"]);
    expect((await patch({ ends_at: inDays(4) }, less)).status).toBe(200);
    const role = (
      await gateway.ask({ method: "POST", path: "/roles", body: { name: "own", permissions: ["user_token-patch"] } })
    ).body as { id: string };
    await gateway.ask({ method: "POST", path: `/roles/${role.id}/assign`, body: { user_id: ann.id } });
    const path = `/users/${ann.id}/tokens`;
    const body = { name: "self", permissions: ["user_token-patch"], ends_at: inDays(2) };
    const self = (await gateway.ask({ method: "POST", path, body })).body as { id: string; value: string };
    const itself = { method: "PATCH", path: `${path}/${self.id}`, body: { ends_at: inDays(1.5) } };
    const longer = { ...itself, body: { ends_at: inDays(9) }, headers: { "auth-token": self.value } };
    expect(errorOf(await gateway.ask(longer))).toEqual([400, "invalid_request", "ends_at"]);
    expect(id).not.toBe(self.id);
  });
});
