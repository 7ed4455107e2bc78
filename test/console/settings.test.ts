import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs, settled } from "./signing-in.ts";

const folder = mkdtempSync(join(tmpdir(), "console-cache-"));
let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  const file = join(folder, "cached.json");
  writeFileSync(file, JSON.stringify({ cache: { mode: "on" } }));
  [browser, gateway] = [await openBrowser(), await serveDemo("--config", file)];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const open = (path: string, options = {}) => openAs({ browser, gateway, user: "ben", path, options });

it("a theme is seen while it is edited, is not saved where it cannot be read, and goes back to what is inherited", async () => {
  const { page, faults, close } = await open("theme");
  const primary = page.getByLabel("Accent", { exact: true });
  const save = page.getByRole("button", { name: "Save" });
  await primary.fill("#eeeeee");
  await page.getByText("1.16 : 1").waitFor();
  expect(await save.getAttribute("title")).toBe("Each text needs a contrast of at least 4.5 with its background.");
  await primary.fill("#7a1fa8");
  await expect
    .poll(() => page.evaluate('getComputedStyle(document.querySelector(".theme-button")).backgroundColor'))
    .toBe("rgb(122, 31, 168)");
  await photograph(page, "theme");
  expect(await findBarriers(page)).toEqual([]);
  await save.click();
  await page.getByText("Saved.").waitFor();
  await page.reload();
  await primary.waitFor();
  expect(await primary.inputValue()).toBe("#7a1fa8");
  await page.getByRole("button", { name: "Reset to inherited" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset to inherited" }).click();
  await expect.poll(() => primary.inputValue()).toBe("#1f5fa8");
  expect(faults).toEqual([]);
  await close();
});

it("the cache tells how often it answers, and forgets an answer that is found", async () => {
  const headers = { "auth-token": gateway.tokens.users.ben ?? "", region: "local", "content-type": "application/json" };
  const make = await fetch(`${gateway.url}/ai/keys`, {
    method: "POST",
    headers,
    body: '{"name":"cached","description":"","tier":"standard","user_bound":false}',
  });
  const { value } = (await make.json()) as { value: string };
  expect([make.status, value]).toEqual([200, expect.stringMatching(/^sk-tg-/)]);
  const ask = async () => {
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${value}` },
      body: JSON.stringify({ model: "local/echo", temperature: 0, messages: [{ role: "user", content: "Again?" }] }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  };
  await ask();
  await ask();
  const { page, faults, close } = await open("ai/cache");
  await page.getByRole("link", { name: /^cached/ }).click();
  const panel = page.getByRole("dialog").first();
  await panel.getByText("local/echo").waitFor();
  await photograph(page, "cache");
  expect(await findBarriers(page)).toEqual([]);
  await panel.getByLabel("Find by id or model").fill("nothing");
  await panel.getByText("No row matches the filters.").waitFor();
  await panel.getByLabel("Find by id or model").fill("");
  await panel.getByRole("button", { name: "Forget", exact: true }).click();
  await page.getByRole("dialog").nth(1).getByRole("button", { name: "Forget", exact: true }).click();
  await panel.getByText("Nothing is stored for this scope.").waitFor();
  await settled(page);
  expect(faults).toEqual([]);
  await close();
});
