import { describe, expect, it } from "vitest";
import { type Answer, type Gateway, openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const host = "console.example";
const page = {
  "auth-token": undefined,
  host,
  "x-tg-console": "1",
  "sec-fetch-site": "same-origin",
} satisfies Record<string, string | undefined>;

interface SessionBody {
  readonly user: { readonly id: string; readonly username: string };
  readonly ends_at: string;
  readonly csrf: string;
}

const cookieOf = ({ headers }: Answer) => headers["set-cookie"]?.split(";")[0] ?? "";
const errorOf = ({ status, body }: Answer) => [status, (body as { error?: { type: string } } | undefined)?.error?.type];
const password = "correct horse battery";

function logIn(gateway: Gateway, body: object, headers: object = {}): Promise<Answer> {
  return gateway.ask({ method: "POST", path: "/session", body, headers: { ...page, ...headers } });
}

async function openSession(gateway: Gateway, body?: object) {
  const answer = await logIn(gateway, body ?? { token: gateway.token });
  expect(answer.status).toBe(200);
  const session = answer.body as SessionBody;
  const headers = { ...page, cookie: cookieOf(answer) };
  return { answer, session, headers, forChanges: { ...headers, "x-csrf": session.csrf } };
}

describe.each(stores)("sessions of the console: %s", (_name, open) => {
  it("a token opens one, whose cookie scripts cannot read, and which stands in for the token", async () => {
    const gateway = await openGateway(await open());
    const { answer, session, headers } = await openSession(gateway);
    expect(answer.headers["set-cookie"]).toMatch(
      /^__Host-tg_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(session.user.username).toBe("admin");
    for (const mount of ["", "/api"]) {
      const read = await gateway.ask({ method: "GET", path: `${mount}/users`, headers });
      expect(read.status).toBe(200);
    }
    const own = await gateway.ask({ method: "GET", path: "/session", headers });
    expect(own.body).toEqual(session);
  });

  it("on this machine the cookie needs no TLS", async () => {
    const gateway = await openGateway(await open());
    for (const own of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]) {
      const answer = await logIn(gateway, { token: gateway.token }, { host: own });
      expect(answer.headers["set-cookie"]).toMatch(/^tg_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    }
  });

  it("changes need its csrf, and every call a page of the same origin", async () => {
    const gateway = await openGateway(await open());
    const { headers, forChanges } = await openSession(gateway);
    const change = { method: "POST", path: "/users", body: { username: "ada" } };
    expect(errorOf(await gateway.ask({ ...change, headers }))).toEqual([403, "permission_denied"]);
    const wrong = { ...headers, "x-csrf": "wrong" };
    expect(errorOf(await gateway.ask({ ...change, headers: wrong }))).toEqual([403, "permission_denied"]);
    expect((await gateway.ask({ ...change, headers: forChanges })).status).toBe(200);
    const read = { method: "GET", path: "/users" };
    const elsewhere = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": undefined },
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
      { "sec-fetch-site": undefined, origin: "null" },
      { "sec-fetch-site": "cross-site", origin: `https://${host}` },
      { "x-tg-console": undefined },
    ];
    for (const lacking of elsewhere) {
      const answer = await gateway.ask({ ...read, headers: { ...headers, ...lacking } });
      expect(errorOf(answer), JSON.stringify(lacking)).toEqual([403, "permission_denied"]);
    }
    const named = { ...headers, "sec-fetch-site": undefined, origin: `https://${host}` };
    expect((await gateway.ask({ ...read, headers: named })).status).toBe(200);
  });

  it("ends at logout, and the cookie is taken back", async () => {
    const gateway = await openGateway(await open());
    const { headers, forChanges } = await openSession(gateway);
    const out = await gateway.ask({ method: "DELETE", path: "/session", headers: forChanges });
    expect(out.status).toBe(204);
    expect(out.headers["set-cookie"]).toMatch(/^__Host-tg_session=; .*Max-Age=0$/);
    expect(errorOf(await gateway.ask({ method: "GET", path: "/users", headers }))).toEqual([401, "token_not_found"]);
    const log = await gateway.ask({ method: "GET", path: "/audit" });
    const { entries } = log.body as { entries: { operation: string }[] };
    expect(entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["sessions.login", "sessions.logout"]),
    );
  });

  it("renewing gives it a new value, and the old one is dead", async () => {
    const gateway = await openGateway(await open());
    const { answer, headers, forChanges } = await openSession(gateway);
    const renewed = await gateway.ask({ method: "POST", path: "/session/renew", headers: forChanges });
    expect(renewed.status).toBe(200);
    expect(cookieOf(renewed)).not.toBe(cookieOf(answer));
    const ask = (cookie: string) => gateway.ask({ method: "GET", path: "/users", headers: { ...headers, cookie } });
    expect(errorOf(await ask(cookieOf(answer)))).toEqual([401, "token_not_found"]);
    expect((await ask(cookieOf(renewed))).status).toBe(200);
  });

  it("ends half an hour after its last use, and twelve hours after the login", async () => {
    const gateway = await openGateway(await open());
    const first = await openSession(gateway);
    const read = (headers: object) => gateway.ask({ method: "GET", path: "/users", headers: { ...headers } });
    for (let minutes = 0; minutes < 12 * 60 - 29; minutes += 29) {
      expect((await read(first.headers)).status, `after ${minutes} minutes`).toBe(200);
      gateway.clock.advance(29 * 60_000);
    }
    gateway.clock.advance(29 * 60_000);
    expect(errorOf(await read(first.headers))).toEqual([401, "token_not_found"]);
    const second = await openSession(gateway);
    gateway.clock.advance(30 * 60_000);
    expect(errorOf(await read(second.headers))).toEqual([401, "token_not_found"]);
  });

  it("has the permissions of its token, and ends with it", async () => {
    const gateway = await openGateway(await open());
    const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
    const path = `/users/${admin?.id}/tokens`;
    const made = await gateway.ask({ method: "POST", path, body: { name: "t", permissions: ["users-get"] } });
    const { id, value } = made.body as { id: string; value: string };
    const { headers } = await openSession(gateway, { token: value });
    expect((await gateway.ask({ method: "GET", path: "/users", headers })).status).toBe(200);
    expect(errorOf(await gateway.ask({ method: "GET", path: "/roles", headers }))).toEqual([403, "permission_denied"]);
    await gateway.ask({ method: "DELETE", path: `${path}/${id}` });
    expect(errorOf(await gateway.ask({ method: "GET", path: "/users", headers }))).toEqual([401, "token_not_found"]);
    expect(errorOf(await logIn(gateway, { token: value }))).toEqual([401, "token_not_found"]);
  });

  it("a password opens one with all permissions of its user, and setting it ends the old sessions", async () => {
    const gateway = await openGateway(await open());
    const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
    const set = (value: string) =>
      gateway.ask({ method: "PUT", path: `/users/${admin?.id}/password`, body: { password: value } });
    expect(errorOf(await set("short"))).toEqual([400, "invalid_request"]);
    expect(errorOf(await set("my admin password"))).toEqual([400, "invalid_request"]);
    expect((await set(password)).status).toBe(204);
    expect(errorOf(await logIn(gateway, { username: "admin", password: "another password" }))).toEqual([
      401,
      "token_not_found",
    ]);
    const { headers, forChanges } = await openSession(gateway, { username: "Admin", password });
    const made = await gateway.ask({
      method: "POST",
      path: "/users",
      body: { username: "grace" },
      headers: forChanges,
    });
    expect(made.status).toBe(200);
    await set("quite another horse");
    expect(errorOf(await gateway.ask({ method: "GET", path: "/users", headers }))).toEqual([401, "token_not_found"]);
  });

  it("whoever has fewer permissions than a user cannot set its password", async () => {
    const gateway = await openGateway(await open());
    const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
    const body = { name: "t", permissions: ["user_password-put"] };
    const made = await gateway.ask({ method: "POST", path: `/users/${admin?.id}/tokens`, body });
    const headers = { "auth-token": (made.body as { value: string }).value };
    const path = `/users/${admin?.id}/password`;
    const refused = await gateway.ask({ method: "PUT", path, body: { password }, headers });
    expect(errorOf(refused)).toEqual([403, "permission_denied"]);
  });
});

const [[, openMemory] = []] = stores;

describe("logins that fail", () => {
  it("after ten wrong passwords in a quarter of an hour the right one is refused too", {
    timeout: 60_000,
  }, async () => {
    const gateway = await openGateway(await (openMemory as () => ReturnType<NonNullable<typeof openMemory>>)());
    const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
    await gateway.ask({ method: "PUT", path: `/users/${admin?.id}/password`, body: { password } });
    const wrong = { username: "admin", password: "wrong horse battery" };
    for (let count = 0; count < 10; count++)
      expect(errorOf(await logIn(gateway, wrong))).toEqual([401, "token_not_found"]);
    const refused = await logIn(gateway, { username: "admin", password });
    expect(errorOf(refused)).toEqual([429, "request_limited"]);
    expect(Number(refused.headers["retry-after"])).toBe(900);
    gateway.clock.advance(15 * 60_000);
    expect((await logIn(gateway, { username: "admin", password })).status).toBe(200);
  });

  it("says the same for an unknown user and a wrong token, and names an unknown field", async () => {
    const gateway = await openGateway(await (openMemory as () => ReturnType<NonNullable<typeof openMemory>>)());
    const unknown = await logIn(gateway, { username: "nobody-here", password });
    const token = await logIn(gateway, { token: "tg_at_unknown" });
    expect(errorOf(unknown)).toEqual([401, "token_not_found"]);
    expect((unknown.body as { error: { message: string } }).error.message).toBe(
      (token.body as { error: { message: string } }).error.message,
    );
    expect(errorOf(await logIn(gateway, { username: "admin", password, code: "1" }))).toEqual([400, "invalid_request"]);
    const large = await logIn(gateway, { token: "x".repeat(20_000) });
    expect(errorOf(large)[0]).toBeGreaterThanOrEqual(400);
  });
});

describe("the boot of the console", () => {
  it("is public, and says what a login page needs", async () => {
    const gateway = await openGateway(await (openMemory as () => ReturnType<NonNullable<typeof openMemory>>)());
    const headers = { "auth-token": undefined, region: undefined };
    const boot = await gateway.ask({ method: "GET", path: "/console/boot?lang=de", headers });
    expect(boot.status).toBe(200);
    expect(boot.headers["cache-control"]).toBe("public, max-age=60");
    expect(boot.body).toMatchObject({
      regions: [{ code: "eu-1", name: "eu-1" }],
      login: { token: true, password: true, oidc: [] },
      theme: { name: "tollgate", inherited: true },
    });
    const themed = { property: "theme.name", value: "Acme", description: "" };
    await gateway.ask({ method: "POST", path: "/property", body: themed });
    const again = await gateway.ask({ method: "GET", path: "/console/boot?tenant=unknown/client", headers });
    expect(again.body).toMatchObject({ theme: { name: "Acme", inherited: true } });
    expect(errorOf(await gateway.ask({ method: "GET", path: "/console/boot?lang=xx", headers }))).toEqual([
      404,
      "not_found",
    ]);
  });
});
