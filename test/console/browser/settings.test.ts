import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  await page.getByText(/^1\.1\d : 1/).waitFor();
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
  await expect.poll(() => primary.inputValue()).toBe("#4455d0");
  expect(faults).toEqual([]);
  await close();
});

it("a tenant's theme is that of every screen, in light and in dark colours, from the first paint on", async () => {
  const headers = { "auth-token": gateway.tokens.users.ben ?? "", region: "local", "content-type": "application/json" };
  const put = (theme: object) => fetch(`${gateway.url}/theme`, { method: "PUT", headers, body: JSON.stringify(theme) });
  const colors = { primary: "#7a1fa8", background: "#fdf6e3", surface: "#fffdf5", text: "#2b1b12" };
  const logo = `data:image/png;base64,${onePixel}`;
  expect((await put({ name: "Bakery", colors, logo })).status).toBe(200);
  const { page, faults, close } = await open("");
  const shown = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
  for (const path of ["", "ai/keys", "servers", "alerts", "objects", "d/ai-projects"]) {
    await page.goto(`${gateway.url}/console/${path}`);
    await page.locator(".brand", { hasText: "Bakery" }).waitFor();
    await settled(page);
    expect([path, await shown("body", "backgroundColor"), await shown("main h1", "color")]).toEqual([
      path,
      "rgb(253, 246, 227)",
      "rgb(43, 27, 18)",
    ]);
    expect(await page.locator(".brand img").getAttribute("src")).toBe(logo);
    expect([path, await findBarriers(page)]).toEqual([path, []]);
  }
  await photograph(page, "tenant-theme");
  await page.route("**/theme*", () => {}); // never answered: the device remembers the colours
  await page.goto(`${gateway.url}/console/ai/keys`);
  await page.locator("main h1").waitFor();
  expect(await shown("body", "backgroundColor")).toBe("rgb(253, 246, 227)");
  await page.unroute("**/theme*");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${gateway.url}/console/ai/keys`);
  await settled(page);
  expect(await shown("body", "backgroundColor")).not.toBe("rgb(253, 246, 227)");
  expect(await findBarriers(page)).toEqual([]);
  const reset = Object.fromEntries(Object.keys(colors).map((name) => [name, null]));
  expect((await put({ name: null, colors: reset, logo: null })).status).toBe(200);
  await page.reload();
  await page.locator(".brand", { hasText: "tollgate" }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("a table shows the columns that are chosen, and gives its rows as CSV and JSON", async () => {
  const { page, faults, close } = await open("ai/keys");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const heads = page.locator("main thead th");
  await heads.nth(1).waitFor(); // the table may still be loading
  const before = await heads.allTextContents();
  const tools = page.locator(".table-tools").first();
  await tools.locator("summary").click();
  expect(await findBarriers(page)).toEqual([]);
  const hidden = before[1] ?? "";
  await tools.getByLabel(hidden, { exact: true }).uncheck();
  await expect.poll(() => heads.allTextContents()).toEqual(before.filter((name) => name !== hidden));
  expect(await tools.getByLabel(before[0] ?? "", { exact: true }).isDisabled()).toBe(true);
  await tools.getByLabel("Low rows").check();
  await page.locator(".table-compact").waitFor();
  const loading = page.waitForEvent("download");
  await tools.getByRole("button", { name: "Download CSV" }).click();
  const file = await loading;
  expect(file.suggestedFilename()).toMatch(/^[a-z-]+\.csv$/);
  const lines = readFileSync((await file.path()) ?? "", "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines[0]?.split(",").length).toBe(before.length - 1);
  expect(lines.length).toBe((await page.locator("main tbody tr").count()) + 1);
  await tools.getByRole("button", { name: "Copy JSON" }).click();
  const copied = JSON.parse((await page.evaluate("navigator.clipboard.readText()")) as string) as { id: string }[];
  expect(copied.map(({ id }) => id.slice(0, 3))).toEqual(lines.slice(1).map(() => "vk_"));
  await photograph(page, "table-tools");
  await page.keyboard.press("Escape");
  expect(await tools.getAttribute("open")).toBeNull();
  await page.reload();
  await page.locator(".table-compact").waitFor();
  expect(await heads.allTextContents()).not.toContain(hidden);
  expect(faults).toEqual([]);
  await close();
});

/** A PNG of one pixel. */
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

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
