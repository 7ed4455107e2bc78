import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

const front = (page: Page) => page.getByRole("dialog").last();
const openMe = () => openAs({ browser, gateway, user: "vera", path: "me" });

it("somebody changes the own name, makes and revokes an own token, ends another session, and sets a password", async () => {
  const other = await openMe();
  const { page, faults, close } = await openMe();
  await page.getByRole("button", { name: "Edit" }).click();
  await front(page).getByLabel("First name").fill("Verena");
  await front(page).getByRole("button", { name: "Save" }).click();
  await page.getByText("Verena").waitFor();
  await page.getByRole("button", { name: "Create an access token" }).click();
  await front(page).getByLabel("Name", { exact: true }).fill("laptop");
  await front(page).getByRole("button", { name: "Read only" }).click();
  expect(await findBarriers(page)).toEqual([]);
  await front(page).getByRole("button", { name: "Create" }).click();
  const secret = (await front(page).locator("[data-secret]").textContent()) ?? "";
  await front(page).getByRole("button", { name: "Close" }).last().click();
  expect(await page.content()).not.toContain(secret);
  const statusOf = async () =>
    (await fetch(`${gateway.url}/me`, { headers: { "auth-token": secret, region: "local" } })).status;
  expect(await statusOf()).toBe(200);
  await page.getByRole("button", { name: "Revoke: laptop" }).click();
  await page.getByText("Whatever calls with this token is refused at once.").waitFor();
  await front(page).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke: laptop" }).waitFor({ state: "detached" });
  expect(await statusOf()).toBe(401);
  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByRole("button", { name: "End", exact: true }).waitFor({ state: "detached" });
  await other.page.reload();
  await other.page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByRole("button", { name: "Set a password" }).click();
  await front(page).getByLabel("New password").fill("correct horse battery");
  await front(page).getByLabel("The same again").fill("correct horse");
  await front(page).getByText("The two are different.").waitFor();
  await front(page).getByLabel("The same again").fill("correct horse battery");
  await front(page).getByRole("button", { name: "Save" }).click();
  await page.getByText("Is set").waitFor();
  expect(faults).toEqual([]);
  await close();
  await other.close();
});
