import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { oidc } from "../../../../adapters/identity/oidc.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { createPortal, type Portal } from "../../../../src/portal/index.ts";
import { freePort } from "../../../support/free-port.ts";
import { Browser, client, type OpenidServer, startOpenidServer } from "../../support/oidc-server.ts";
import { serve, type TestServer } from "../../support/server.ts";

const accounts = {
  ada: { email: "Ada@Example.com", email_verified: true, preferred_username: "ada" },
  liar: { email: "ada@example.com", email_verified: false, preferred_username: "liar" },
  stranger: { email: "who@example.com", email_verified: true },
  double: { email: "double@example.com", email_verified: true },
  gone: { email: "gone@example.com", email_verified: true },
  nameless: {},
};

let openid: OpenidServer;
let gateway: TestServer;
let portal: Portal;
let token: string;

beforeAll(async () => {
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  let handle = createListener({ engine });
  gateway = await serve((request, response) => handle(request, response));
  openid = await startOpenidServer(`${gateway.url}/session/oidc/corp/return`, accounts);
  const dead = `http://127.0.0.1:${await freePort()}`;
  const { issuer } = openid;
  portal = createPortal({
    engine,
    store,
    logins: [
      oidc({ name: "corp", label: "Corporation", issuer, ...client, allowHttp: true }),
      oidc({ name: "dead", issuer: dead, ...client, allowHttp: true }),
    ],
  });
  token = (await portal.startFirst())?.token ?? "";
  const console = { read: async () => undefined } as never;
  handle = createListener({ engine, portal, console });
  const { users } = portal.as(await portal.authenticate(token));
  const roles: string[] = [];
  await users.create({ username: "ada", email: "ada@example.com", roles } as never);
  await users.create({ username: "one", email: "double@example.com", roles } as never);
  await users.create({ username: "two", email: "DOUBLE@example.com", roles } as never);
  const gone = (await users.create({ username: "gone", email: "gone@example.com", roles } as never)) as { id: string };
  await users.disable({ user_id: gone.id });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await openid?.[Symbol.asyncDispose]();
});

let browser: Browser;
beforeEach(() => {
  browser = new Browser();
});

const begin = () => `${gateway.url}/session/oidc/corp`;
const logIn = (account: string) => {
  openid.as(account);
  return browser.follow(begin(), /\/console\//);
};
const sameOrigin = { "x-tg-console": "1", "sec-fetch-site": "same-origin" };
const session = () => browser.ask(`${gateway.url}/session`, sameOrigin);

describe("a login at a real OpenID server", () => {
  it("opens the same session as a password does", async () => {
    expect(await (await fetch(`${gateway.url}/console/boot`)).json()).toMatchObject({
      login: {
        oidc: [
          { name: "corp", label: "Corporation" },
          { name: "dead", label: "dead" },
        ],
      },
    });
    expect(await logIn("ada")).toBe(`${gateway.url}/console/`);
    const answer = await session();
    expect(await answer.json()).toMatchObject({ user: { username: "ada" }, csrf: expect.any(String) });
    const { entries } = await portal.as(await portal.authenticate(token)).users.audit({});
    expect(entries).toContainEqual(
      expect.objectContaining({ operation: "sessions.login", actor: expect.objectContaining({ username: "ada" }) }),
    );
  });

  it.each([
    ["whose address is not verified", "liar"],
    ["whom no user has the address of", "stranger"],
    ["whose address two users have", "double"],
    ["whose user is disabled", "gone"],
    ["without an address", "nameless"],
  ])("of somebody %s opens none, and the page says why", async (_who, account) => {
    expect(await logIn(account)).toMatch(/\/console\/#login-error=permission_denied\.evt_\w+$/);
    expect((await session()).status).toBe(401);
  });

  it("is refused with another state, another browser's, or a second time", async () => {
    openid.as("ada");
    const back = await browser.follow(begin(), /\/return\?/);
    const other = new Browser();
    expect((await other.ask(back)).headers.get("location")).toContain("#login-error=token_not_found");
    const forged = back.replace(/state=[^&]+/, "state=made-up");
    const fresh = new Browser();
    await fresh.follow(begin(), /\/return\?/);
    expect((await fresh.ask(forged)).headers.get("location")).toContain("#login-error=token_not_found");
    expect((await browser.ask(back)).headers.get("location")).toBe("/console/");
    await browser.ask(begin());
    expect((await browser.ask(back)).headers.get("location")).toContain("#login-error=token_not_found");
  });

  it("that the provider ends with an error is refused", async () => {
    await browser.ask(begin());
    const back = `${gateway.url}/session/oidc/corp/return?error=access_denied&state=x`;
    expect((await browser.ask(back)).headers.get("location")).toContain("#login-error=token_not_found");
  });

  it("at a provider that is down, or none, says so", async () => {
    const down = await browser.ask(`${gateway.url}/session/oidc/dead`);
    expect(down.headers.get("location")).toContain("#login-error=upstream_unreachable");
    const none = await browser.ask(`${gateway.url}/session/oidc/nobody`);
    expect(none.headers.get("location")).toContain("#login-error=not_found");
  });

  it("ends like any other session", async () => {
    await logIn("ada");
    const { csrf } = (await (await session()).json()) as { csrf: string };
    expect(csrf).toBeTypeOf("string");
    const ended = await browser.ask(`${gateway.url}/session`, { ...sameOrigin, "x-csrf": csrf }, "DELETE");
    expect(ended.status).toBe(204);
    expect((await session()).status).toBe(401);
  });
});

describe("the options of a provider", () => {
  it.each([
    [{ name: "A", issuer: "https://a", clientId: "c" }, "name"],
    [{ name: "a", issuer: "http://a", clientId: "c" }, "issuer"],
    [{ name: "a", issuer: "nothing", clientId: "c" }, "issuer"],
    [{ name: "a", issuer: "https://a" }, "clientId"],
    [{ name: "a", issuer: "https://a", clientId: "c", match: "subject" }, "match"],
    [{ name: "a", issuer: "https://a", clientId: "c", secret: "x" }, "secret"],
  ])("%j are refused by the field", (options, param) => {
    expect(() => oidc(options as never)).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
  });
});
