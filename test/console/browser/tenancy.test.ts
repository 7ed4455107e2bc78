import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs as openPlace, settled } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

const openAs = (user: string, path: string) => openPlace({ browser, gateway, user, path });

/** The dialog in front. */
const front = (page: Page) => page.getByRole("dialog").last();

describe("the tenants", () => {
  it("are a tree: a client is created below its reseller, binned by its name, and taken out again", async () => {
    const { page, faults, close } = await openAs("nora", "tenants");
    await page.getByRole("button", { name: "Create a tenant" }).first().click();
    await front(page).getByLabel("What is created").selectOption({ label: "A client of Northwind" });
    await front(page).getByLabel("Place in the tree").fill("florist");
    await front(page).getByLabel("Name", { exact: true }).fill("Flora's flowers");
    await front(page).getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: /^Flora's flowers/ }).click();
    await front(page).getByText("northwind / florist").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await front(page).getByRole("button", { name: "Disable" }).click();
    await front(page).getByText("0 users and 0 virtual keys at it and below are refused at once.").waitFor();
    await front(page).getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByText("Disabled").waitFor();
    await front(page).getByRole("button", { name: "Move to the bin" }).click();
    await page.getByLabel("Type Flora's flowers to confirm.").waitFor();
    const confirm = front(page).getByRole("button", { name: "Move to the bin" });
    expect(await confirm.getAttribute("aria-disabled")).toBe("true");
    await front(page).getByLabel("Type Flora's flowers to confirm.").fill("Flora's flowers");
    await confirm.click();
    await page.getByRole("link", { name: /^Flora's flowers/ }).waitFor({ state: "detached" });
    await page.getByLabel("Show the bin").check();
    await page.getByRole("link", { name: /^Flora's flowers/ }).click();
    await front(page).getByRole("button", { name: "Take out of the bin" }).click();
    await page.getByText("Its users may sign in again").waitFor();
    await front(page).getByRole("button", { name: "Take out of the bin" }).click();
    await page.getByText("The bin is empty.").waitFor();
    await page.getByLabel("Show the bin").uncheck();
    await page.getByRole("link", { name: /^Flora's flowers/ }).waitFor();
    await page.getByRole("main").getByLabel("Search").fill("flora");
    await page.getByRole("link", { name: /^Ben's bakery/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Northwind/ }).waitFor();
    await page.getByRole("main").getByLabel("Search").fill("nothing like it");
    await page.getByText("No row matches the filters.").waitFor();
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: /^Ben's bakery/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a user with a role of its own", () => {
  it("gets a token of some permissions: what it may not have is greyed, the value is shown once, the log knows who did it", async () => {
    const { page, faults, close } = await openAs("nora", "roles");
    await page.getByRole("button", { name: "Create a role" }).first().click();
    await front(page).getByLabel("Name", { exact: true }).fill("Key keeper");
    await front(page).getByRole("button", { name: "Manage keys" }).click();
    await front(page).getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Key keeper" }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Users" }).click();
    await page.getByRole("button", { name: "Create a user" }).first().click();
    await front(page).getByLabel("Username").fill("mira");
    await front(page).getByLabel("Tenant").selectOption({ label: "· Ben's bakery" });
    await front(page).getByLabel("Role").selectOption({ label: "Key keeper" });
    await front(page).getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "mira" }).waitFor();
    await page.getByText("northwind / bakery").waitFor();
    await page.getByRole("main").getByRole("cell", { name: "Key keeper" }).first().waitFor();
    await page.getByRole("button", { name: "Create an access token" }).click();
    const matrix = front(page).locator(".matrix");
    await front(page).getByLabel("Search").fill("tenant");
    const refused = matrix.getByLabel("Create a reseller, or with `client_id` a client of one");
    expect(await refused.isDisabled()).toBe(true);
    await matrix.getByText("mira does not have this permission.").first().waitFor();
    await front(page).getByLabel("Search").fill("rotate");
    await matrix.getByLabel("Give a virtual key a new value, shown this once").check();
    await front(page)
      .getByText(/^1 of \d+ permissions$/)
      .waitFor();
    await front(page).getByLabel("Name", { exact: true }).fill("rotator");
    expect(await findBarriers(page)).toEqual([]);
    await photograph(page, "permission-matrix");
    await front(page).getByRole("button", { name: "Create" }).click();
    const secret = (await front(page).locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^tg_at_/);
    await front(page).getByRole("button", { name: "Close" }).last().click();
    expect(await page.content()).not.toContain(secret);
    const context = await fetch(`${gateway.url}/context`, { headers: { "auth-token": secret, region: "local" } });
    expect([context.status, ((await context.json()) as { error?: { code: string } }).error?.code]).toEqual([
      403,
      "permission_denied",
    ]);
    await page.getByRole("button", { name: "Permissions: rotator" }).click();
    await front(page)
      .getByText(/^1 of \d+ permissions$/)
      .waitFor();
    await front(page).getByRole("button", { name: "Read only" }).click();
    await front(page).getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const allowed = await fetch(`${gateway.url}/context`, { headers: { "auth-token": secret, region: "local" } });
    expect(allowed.status).toBe(200);
    await page.getByRole("button", { name: "Revoke: rotator" }).click();
    await page.getByText("Whatever calls with this token is refused at once.").waitFor();
    await front(page).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("This user has no access token.").waitFor();
    const revoked = await fetch(`${gateway.url}/context`, { headers: { "auth-token": secret, region: "local" } });
    expect(revoked.status).toBe(401);
    await page.getByRole("link", { name: "Who changed this?" }).click();
    await page.getByRole("cell", { name: "users.create", exact: true }).click();
    await front(page).getByRole("link", { name: "nora", exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});

describe("the audit log", () => {
  it("is narrowed by who, what and outcome in the address, page by page", async () => {
    const { page, faults, close } = await openAs("admin", "audit");
    await page.getByRole("main").getByLabel("Operation").selectOption("profiles.create");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("operation")).toBe("profiles.create");
    await page.getByRole("main").getByLabel("Outcome").selectOption("ok");
    await page.getByRole("button", { name: "Remove the filter Operation" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBeGreaterThan(2);
    await page.goto(`${gateway.url}/console/audit?outcome=permission_denied&user_id=usr_none`);
    await settled(page);
    await page.getByText("No row matches the filters.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe("the quotas", () => {
  it("are a matrix: a limit is set next to what is left above, and one that is too much is said at once", async () => {
    const { page, faults, close } = await openAs("nora", "quotas");
    await page.getByRole("button", { name: /Ai keys: northwind \/ bakery$/ }).click();
    await front(page).getByText("100 of 100 left above").waitFor();
    await front(page).getByText("2 are in use.").waitFor();
    await front(page).getByLabel("Limit").fill("101");
    await front(page).getByLabel("Limit").and(page.locator("[aria-invalid=true]")).waitFor();
    await front(page).getByLabel("Limit").fill("12");
    expect(await findBarriers(page)).toEqual([]);
    await front(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("2 / 12").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
