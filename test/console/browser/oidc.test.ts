import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oidc } from "../../../adapters/identity/oidc.ts";
import { local } from "../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { consoleFiles } from "../../../src/http/console/index.ts";
import { createEngine, createListener } from "../../../src/index.ts";
import { createPortal } from "../../../src/portal/index.ts";
import { client, type OpenidServer, startOpenidServer } from "../../http/support/oidc-server.ts";
import { serve, type TestServer } from "../../http/support/server.ts";
import { freePort } from "../../support/free-port.ts";
import { openBrowser, openPage } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";

const accounts = {
  ada: { email: "ada@example.com", email_verified: true },
  stranger: { email: "who@example.com", email_verified: true },
};

let browser: Browser;
let gateway: TestServer;
let openid: OpenidServer;
beforeAll(async () => {
  browser = await openBrowser();
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  let handle = createListener({ engine });
  gateway = await serve((request, response) => handle(request, response));
  openid = await startOpenidServer(`${gateway.url}/session/oidc/corp/return`, accounts);
  const issuers = { corp: openid.issuer, dead: `http://127.0.0.1:${await freePort()}` };
  const logins = [
    oidc({ name: "corp", label: "Corporation", issuer: issuers.corp, ...client, allowHttp: true }),
    oidc({ name: "dead", label: "Somewhere else", issuer: issuers.dead, ...client, allowHttp: true }),
  ];
  const portal = createPortal({ engine, store, logins });
  const { token = "" } = (await portal.startFirst()) ?? {};
  handle = createListener({ engine, portal, console: consoleFiles() });
  const { users } = portal.as(await portal.authenticate(token));
  await users.create({ username: "ada", email: "ada@example.com", roles: ["role_administrator"] });
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  await openid[Symbol.asyncDispose]();
});

describe("a login at an OpenID provider, in a browser", () => {
  it("is a button on the page of the sign-in, and opens the console", async () => {
    openid.as("ada");
    const { page, faults, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/`);
    const button = page.getByRole("link", { name: "Corporation" });
    await button.waitFor();
    await photograph(page, "sign-in-providers");
    expect(await findBarriers(page)).toEqual([]);
    await button.click();
    await page.locator(".shell").waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/");
    expect(await page.evaluate("JSON.stringify([location.href, localStorage, sessionStorage])")).not.toMatch(
      /code|tg_/,
    );
    await page.reload();
    await page.locator(".shell").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it.each([
    ["Corporation", "whom no user has the address of", "stranger"],
    ["Somewhere else", "where nobody answers", "ada"],
  ])("at %s, %s, comes back with the reason, which a reload does not repeat", async (label, _why, account) => {
    openid.as(account);
    const { page, faults, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/`);
    await page.getByRole("link", { name: label }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect((await alert.textContent())?.length).toBeGreaterThan(20);
    expect(await findBarriers(page)).toEqual([]);
    expect(page.url()).not.toContain("login-error");
    await page.reload();
    await page.getByRole("link", { name: label }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});
