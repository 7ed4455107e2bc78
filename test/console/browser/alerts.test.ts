import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs, settled } from "./signing-in.ts";

const folder = mkdtempSync(join(tmpdir(), "console-alerts-"));
const received: string[] = [];
let browser: Browser;
let gateway: DemoGateway;
let receiver: Server;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(String(request.headers["x-tg-signature"]));
    response.end();
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const file = join(folder, "alerts.json");
  writeFileSync(file, JSON.stringify({ webhooks: { allow: ["127.0.0.0/8"] } }));
  [browser, gateway] = [await openBrowser(), await serveDemo("--config", file)];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (path: string, options = {}) => openAs({ browser, gateway, user: "ben", path, options });

it("a channel is made, its secret shown once, and tried; a rule that sends to it is made, changed, switched off and deleted", async () => {
  const { page, faults, close } = await open("alerts");
  const front = page.getByRole("dialog").last();
  await page.getByText("There are no alerts.").waitFor();
  await page.getByRole("tab", { name: "Channels" }).click();
  await page.getByRole("button", { name: "Create a channel" }).first().click();
  await front.getByLabel("Name").fill("Operations");
  const { port } = receiver.address() as AddressInfo;
  await front.getByLabel("Address").fill(`http://127.0.0.1:${port}/hook`);
  await front.getByRole("button", { name: "Create" }).click();
  const secret = (await front.locator("[data-secret]").textContent()) ?? "";
  expect(secret.length).toBeGreaterThan(20);
  await front.getByRole("button", { name: "Close" }).last().click();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole("link", { name: /^Operations/ }).click();
  await front.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The test message has arrived.").waitFor();
  expect(received).toEqual([expect.stringMatching(/^t=\d+,v1=/)]);
  await photograph(page, "alert-channel");
  expect(await findBarriers(page)).toEqual([]);
  await front.getByRole("button", { name: "New signing secret" }).click();
  await front.getByRole("button", { name: "New signing secret" }).click();
  expect(await front.locator("[data-secret]").textContent()).not.toBe(secret);
  await front.getByRole("button", { name: "Close" }).last().click();
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Rules" }).click();
  await page.getByRole("button", { name: "Create a rule" }).first().click();
  await front.getByLabel("Name").fill("Half used");
  await front.getByLabel("Kind").selectOption({ label: "Many attempts fail" });
  expect(await front.getByLabel("Fewest requests").inputValue()).toBe("20");
  await front.getByLabel("Kind").selectOption({ label: "Budget used" });
  await front.getByLabel("Percent").fill("101");
  const create = front.getByRole("button", { name: "Create" });
  expect(await create.getAttribute("aria-disabled")).toBe("true");
  await front.getByLabel("Percent").fill("50");
  await front.getByLabel("Operations").check();
  await photograph(page, "alert-rule");
  expect(await findBarriers(page)).toEqual([]);
  await create.click();
  const row = page.getByRole("row", { name: /^Half used/ });
  await row.getByText("Percent: 50").waitFor();
  await row.getByText("Operations").waitFor();
  await page.getByRole("link", { name: /^Half used/ }).click();
  await front.getByRole("button", { name: "Edit" }).click();
  await front.getByLabel("Percent").fill("60");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PATCH"),
    front.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(JSON.parse(request.postData() ?? "")).toMatchObject({ percent: 60, name: "Half used" });
  await row.getByText("Percent: 60").waitFor();
  await front.getByRole("button", { name: "Disable" }).click();
  await row.getByText("Disabled").waitFor();
  await front.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete: Half used" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("There are no rules yet.").waitFor();

  await page.getByRole("tab", { name: "Channels" }).click();
  await page.getByRole("link", { name: /^Operations/ }).click();
  await front.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete: Operations" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("There are no channels yet.").waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("an alert opens what it is about, and the list says what does not match", async () => {
  const { page, faults, close } = await open("alerts");
  const alert = {
    ...{ id: "alrt_1", rule_id: "alrl_1", rule: "Half used", kind: "budget_used", subject: "vk_1", status: "open" },
    ...{ text: "The budget of `shop` is used to 64 %.", occurrence: 2, opened_at: "2026-01-02T03:04:05Z" },
    ...{ resolved_at: null, link: "/ai/keys/vk_1", reseller: "northwind", client_id: "bakery" },
  };
  await page.route(/^http:\/\/[^/]+\/alerts(\?|$)/, (route) =>
    route.fulfill({ json: route.request().url().includes("resolved") ? [] : [alert] }),
  );
  await page.reload();
  const link = page.getByRole("link", { name: /^The budget of/ });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe("ai/keys/vk_1");
  await photograph(page, "alerts");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("main").getByLabel("Search").fill("nothing");
  await page.getByText("No row matches the filters.").waitFor();
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.getByLabel("State").selectOption({ label: "Resolved" });
  await page.getByText("No row matches the filters.").waitFor();
  await settled(page);
  expect(faults).toEqual([]);
  await close();
});
