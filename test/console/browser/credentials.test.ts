import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs } from "./signing-in.ts";

const goodValue = "sk-good-0123456789abcdef";
let browser: Browser;
let gateway: DemoGateway;
let vendor: Server;
beforeAll(async () => {
  vendor = createServer((request, response) => {
    const isGood = request.headers.authorization === `Bearer ${goodValue}`;
    response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
    const models = {
      object: "list",
      data: [
        { id: "one", object: "model" },
        { id: "two", object: "model" },
      ],
    };
    response.end(JSON.stringify(isGood ? models : { error: { message: "no", code: "invalid_api_key" } }));
  });
  await new Promise<void>((done) => vendor.listen(0, "127.0.0.1", done));
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  vendor.close();
});

it("a credential is added, tested, given a new value, changed, switched off and deleted; its value is never shown", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "admin", path: "ai/credentials" });
  const front = page.getByRole("dialog").last();
  await page.getByRole("button", { name: "Add a credential" }).click();
  await front.getByLabel("Provider").fill("Own");
  await front.getByText(/^Small letters, digits/).waitFor();
  await front.getByLabel("Provider").fill("own");
  await front.getByLabel("Name").fill("team");
  await front.getByLabel("Value").fill("sk-wrong-0123456789wxyz");
  await front.getByText("Another address, share and models").click();
  await front.getByLabel("Kind").fill("openai");
  await front.getByLabel("Address").fill(`http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`);
  await photograph(page, "new-credential");
  expect(await findBarriers(page)).toEqual([]);
  await front.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: /^own/ }).click();
  await front.getByText("…wxyz").waitFor();
  await front.getByRole("button", { name: "Test" }).click();
  await front.getByText("The provider refuses it.").waitFor();
  await front.getByRole("button", { name: "New value" }).click();
  await front.getByLabel("Value").fill(goodValue);
  await front.getByRole("button", { name: "Save" }).click();
  await front.getByText("…cdef").waitFor();
  await front.getByRole("button", { name: "Test" }).click();
  await front.getByText("It is good: 2 models are listed for it.").waitFor();
  await photograph(page, "credential");
  expect(await findBarriers(page)).toEqual([]);
  await front.getByRole("button", { name: "Edit" }).click();
  await front.getByLabel("Share").fill("3");
  await front.getByLabel("Models", { exact: true }).fill("one, two");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PATCH"),
    front.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(JSON.parse(request.postData() ?? "")).toEqual({ weight: 3, models: ["one", "two"] });
  await front.getByText("one, two").waitFor();
  await front.getByRole("button", { name: "Disable" }).click();
  await front.getByText("Disabled").waitFor();
  expect(await page.content()).not.toContain(goodValue);
  await front.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete: team" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("link", { name: /^own/ }).waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await close();
});

it("the system tells the provider what it runs on, and a tenant only whether it can take calls", async () => {
  const provider = await openAs({ browser, gateway, user: "admin", path: "system" });
  await provider.page.getByText("Ready").first().waitFor();
  await provider.page.getByRole("region", { name: "What calls depend on" }).first().getByText("store").waitFor();
  await provider.page.getByText("Node.js").waitFor();
  const documents = await provider.page
    .getByRole("main")
    .getByRole("link")
    .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
  for (const url of documents.filter((one) => !one.endsWith("/metrics")))
    expect((await fetch(url)).status, url).toBe(200);
  await photograph(provider.page, "system");
  expect(await findBarriers(provider.page)).toEqual([]);
  await provider.close();
  const { page, faults, close } = await openAs({ browser, gateway, user: "ben", path: "system" });
  await page.getByText("Ready").first().waitFor();
  expect(await page.getByText("Node.js").count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});
