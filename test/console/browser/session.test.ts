import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { signIn } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

describe("a session", () => {
  it("begins with a token, survives a reload, shows the page that was asked for, and ends", async () => {
    const { page, faults, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/d/users`);
    await signIn(page, gateway.tokens.admin);
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await page.getByRole("cell", { name: "vera" }).first().waitFor();
    await photograph(page, "users");
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await page.getByRole("cell", { name: "vera" }).first().waitFor();
    expect(await page.evaluate("JSON.stringify([document.cookie, localStorage, sessionStorage])")).not.toContain("tg_");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("is not begun with a token that is none", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/`);
    await signIn(page, "tg_at_nothing");
    await page.locator(".field-error").waitFor();
    await close();
  });

  it("that the gateway ended is begun again in place: the page stays", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/d/users`);
    await signIn(page, gateway.tokens.admin);
    await page.getByRole("cell", { name: "vera" }).first().waitFor();
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Roles" }).click();
    await page.getByRole("dialog").waitFor();
    await signIn(page, gateway.tokens.admin);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Roles" }).waitFor();
    await close();
  });
});
