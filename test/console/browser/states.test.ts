import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type openPage } from "./browser.ts";
import { findBarriers } from "./checks.ts";
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

const openAs = (user: string, path: string, options: Parameters<typeof openPage>[1] = {}) =>
  openPlace({ browser, gateway, user, path, options });

/** Two minutes before a session of twelve hours ends. */
const almostOver = 12 * 3_600_000 - 120_000;

describe("a session that is about to end", () => {
  it("is announced, and begun anew over the page as it is", async () => {
    const { page, faults, close } = await openAs("nora", "ai/routing");
    await page.clock.install({ time: Date.now() + almostOver });
    await page.reload();
    await page.getByLabel("Model", { exact: true }).fill("local/draft");
    await page.getByText(/^Your session ends/).waitFor();
    await page.clock.setSystemTime(Date.now());
    await page.getByRole("button", { name: "Sign in again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("input[type=password]").fill(gateway.tokens.users.nora ?? "");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^Your session ends/).waitFor({ state: "detached" });
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("local/draft");
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a gateway that is gone", () => {
  it("is told, what was read stays, and all is read again when it is back", async () => {
    const { page, close } = await openAs("nora", "ai/keys");
    await page.getByRole("link", { name: /^vets website/ }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Budgets" }).click();
    await page.getByText(/^The gateway cannot be reached\. What you see is from/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText(/^The gateway cannot be reached\. What you see/).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "vets assistant" }).waitFor();
    await close();
  });
});

describe("a screen whose call fails", () => {
  it("says what went wrong and tries again when it is told to", async () => {
    const { page, close } = await openAs("nora", "");
    const error = { code: "store_unavailable", message: "The store is away.", event_id: "evt_x" };
    await page.route("**/ai/health*", (route) => route.fulfill({ status: 503, json: { error } }));
    await page.getByRole("navigation").getByRole("link", { name: "Providers and health" }).click();
    await page.getByRole("alert").getByText("The store is away.").waitFor();
    await page.getByRole("alert").getByText("evt_x").waitFor();
    await page.unroute("**/ai/health*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await close();
  });
});

const corpus = [
  "<img src=x onerror=alert(1)>",
  '"><script>alert(1)</script>',
  "{{constructor.constructor('alert(1)')()}}",
  "javascript:alert(1)",
  "<svg/onload=alert(1)>",
];

/** The screens that show texts that somebody has typed. */
const markupScreens = [
  ...["", "ai/keys", "ai/requests", "ai/costs?group=key_id", "ai/playground", "ai/projects", "ai/customers"],
  ...["ai/models?q=<img src=x onerror=alert(1)>", "tenants", "users", "roles", "audit", "d/ai-projects", "d/users"],
  ...["alerts/rules", "tasks", "properties"],
];

describe("markup in a name", () => {
  it("is shown as text, wherever the name is shown", async () => {
    const { page, faults, close } = await openAs("nora", "ai/keys");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const token = gateway.tokens.users.nora ?? "";
    const headers = { "auth-token": token, region: "local", "content-type": "application/json" };
    const call = (path: string, body: object) =>
      fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    for (const [position, name] of corpus.entries()) {
      const made = [
        await call("/tenants", { reseller: "northwind", client_id: `markup-${position}`, name }),
        await call("/roles", { name, description: name, permissions: ["context-get"] }),
        await call("/users", { username: `markup-${position}`, first_name: name, last_name: name }),
        await call("/ai/projects", { name, description: name, tier: "standard" }),
        await call("/alerts/rules", { name, kind: "budget_used" }),
        await call("/task", { name }),
        await call("/property", { property: name, value: name, description: name }),
      ];
      expect(made.filter(({ ok }) => !ok).map(({ url, status }) => [url, status])).toEqual([]);
      const answer = await call("/ai/keys", { name, description: name, tier: "standard", user_bound: false });
      expect(answer.status).toBe(200);
      const { value } = (await answer.json()) as { value: string };
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
        body: JSON.stringify({ model: name, user: name, messages: [{ role: "user", content: name }] }),
      });
    }
    for (const path of markupScreens) {
      await page.goto(`${gateway.url}/console/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      expect(await page.locator("main img, main script, main [onerror], main [onload]").count(), path).toBe(0);
    }
    await page.goto(`${gateway.url}/console/ai/keys`);
    for (const name of corpus) await page.getByText(name, { exact: true }).first().waitFor();
    await page.getByRole("link", { name: corpus[0] ?? "" }).click();
    await page.getByRole("heading", { level: 1, name: corpus[0] ?? "" }).waitFor();
    expect({ dialogs, faults }).toEqual({ dialogs: [], faults: [] });
    await close();
  });
});

describe.each(["admin", "nora", "ben", "vera"])("the menu of %s", (user) => {
  it("holds what the caller may open: nothing on its screens is refused", async () => {
    const { page, faults, close } = await openAs(user, "");
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    const links = page.getByRole("navigation").getByRole("link");
    await settled(page);
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(paths.length).toBeGreaterThan(3);
    for (const path of new Set(paths)) {
      await page.locator(`nav a[href="${path}"]`).last().click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
    }
    expect({ refused, faults }).toEqual({ refused: [], faults: [] });
    await close();
  });
});

it("a form of the generic screens has the values of its row, and a deletion is confirmed by the name", async () => {
  const { page, close } = await openAs("admin", "d/users");
  await page.getByRole("cell", { name: "vera" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Change a user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("First name").waitFor();
  expect(await dialog.getByLabel("Username").inputValue()).toBe("vera");
  await dialog.getByLabel("Last name").fill("Vetter");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PATCH"),
    dialog.getByRole("button", { name: "Confirm" }).click(),
  ]);
  expect(JSON.parse(request.postData() ?? "")).toEqual({ last_name: "Vetter" });
  await close();
});
