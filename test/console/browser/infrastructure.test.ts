import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs, settled } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

const open = (path: string, options = {}) => openAs({ browser, gateway, user: "ben", path, options });

it("a server is made, gets a volume, is stopped and deleted; the drawing follows", async () => {
  const { page, faults, close } = await open("servers");
  const dialog = page.getByRole("dialog").last();
  await page.getByRole("button", { name: "Create a server" }).click();
  await dialog.getByLabel("Name").fill("worker");
  for (const label of ["Project", "Size", "Image"]) {
    await dialog.getByLabel(label).locator("option").nth(1).waitFor({ state: "attached" });
    await dialog.getByLabel(label).selectOption({ index: 1 });
  }
  await dialog.getByRole("button", { name: "Create" }).click();
  const row = (name: RegExp) => page.getByRole("row", { name });
  await row(/^worker/)
    .getByText("ACTIVE")
    .waitFor();

  await page.goto(`${gateway.url}/console/volumes`);
  await page.getByRole("button", { name: "Create a volume" }).click();
  await dialog.getByLabel("Name").fill("scratch");
  await dialog.getByLabel("Project").locator("option").nth(1).waitFor({ state: "attached" });
  await dialog.getByLabel("Project").selectOption({ index: 1 });
  await dialog.getByLabel("Gigabytes").fill("0");
  expect(await dialog.getByRole("button", { name: "Create" }).getAttribute("aria-disabled")).toBe("true");
  await dialog.getByLabel("Gigabytes").fill("2");
  await dialog.getByRole("button", { name: "Create" }).click();
  await row(/^scratch/)
    .getByText("available")
    .waitFor();
  await page.getByRole("link", { name: /^scratch/ }).click();
  await dialog.getByRole("button", { name: "Attach" }).click();
  await dialog.getByLabel("Server").selectOption({ label: "worker" });
  await dialog.getByRole("button", { name: "Attach" }).click();
  await dialog.getByRole("link", { name: "worker" }).click();
  await page.getByRole("heading", { level: 1, name: "Servers" }).waitFor();
  await dialog.getByRole("link", { name: "scratch" }).waitFor();
  await photograph(page, "server");
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog", { name: "Stop: worker" }).getByRole("button", { name: "Stop" }).click(); // not the panel's
  await page.getByText("SHUTOFF").first().waitFor();

  await page.goto(`${gateway.url}/console/networks`);
  const map = page.getByRole("region", { name: "Topology of bakery-shop" });
  await map.waitFor();
  const between = (title: RegExp) => map.locator("a", { has: page.locator("title", { hasText: title }) });
  await between(/Volume · scratch/).waitFor();
  expect(await map.locator("path").count()).toBeGreaterThanOrEqual(3);
  await page.getByText("As a list").click();
  await page.getByText("connected with scratch").waitFor();
  await photograph(page, "topology");
  expect(await findBarriers(page)).toEqual([]);
  await between(/Server · worker/).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await dialog.getByLabel("Type worker to confirm.").fill("worker");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("link", { name: /^worker/ }).waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await close();
});

it("each list of the networks is searched, and says what does not match", async () => {
  const { page, close } = await open("networks?tab=balancers");
  await page.getByText("10.0.0.10").waitFor();
  await page.getByRole("tab", { name: "Floating addresses" }).click();
  await page.getByText("198.51.100.7").first().waitFor();
  await page.getByRole("main").getByLabel("Search").fill("nothing");
  await page.getByText("No row matches the filters.").waitFor();
  await settled(page);
  await close();
});

it("a project that is being deleted, or is stuck, is shown as such, and nothing is made in it", async () => {
  const { page, faults, close } = await open("servers");
  const names = ["shop", "leaving", "rest"] as const;
  const states = {
    shop: {},
    leaving: { state: "purging" },
    rest: { state: "stuck", description: "2 things are left." },
  };
  const projects = names.map((name) => ({ id: `p-${name}`, name, enabled: true, ...states[name] }));
  await page.route(/\/iaas\/projects(\?|$)/, (route) => route.fulfill({ json: projects }));
  await page.goto(`${gateway.url}/console/d/iaas-projects`);
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row("leaving").getByText("Being deleted with its contents").waitFor();
  await row("rest").getByText("Stuck: not deleted").waitFor();
  await row("rest").getByText("2 things are left.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${gateway.url}/console/servers`);
  await page.getByRole("button", { name: "Create a server" }).click();
  const choice = page.getByRole("dialog").last().getByLabel("Project").locator("option");
  await choice.nth(1).waitFor({ state: "attached" });
  expect(await choice.allTextContents()).toEqual(["–", "shop"]);
  expect(faults).toEqual([]);
  await close();
});
