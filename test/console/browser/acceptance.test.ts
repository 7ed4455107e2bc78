import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, program, serveDemo } from "./gateway.ts";
import { openAs as openPlace, settled, signIn } from "./signing-in.ts";

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

/** Runs in the page: counts what a hand does with a pointer. */
const countPresses = `window.presses = 0; addEventListener("pointerdown", () => window.presses++, true);`;

const pressesOf = async (page: Page) => Number(await page.evaluate("window.presses"));

/** `tollgate serve` over a store that is new, at a terminal: where it listens, and the link that it has printed. */
async function serveFresh() {
  const folder = mkdtempSync(join(tmpdir(), "console-fresh-"));
  const command = `exec '${process.execPath}' '${program}' serve --store fresh.db --port 0`;
  // `script` gives the program a terminal: a link is printed to people only.
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    ...{ cwd: folder, env: { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1" } },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const link = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (piece: Buffer) => {
      printed += piece.toString();
      const [, url] = /^Console: (http:\/\/\S+#sign-in=\S+) /m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", (code) => reject(new Error(`tollgate serve ended with ${code}: ${printed}`)));
  });
  return {
    link,
    url: new URL(link).origin,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a virtual key from the first steps of the overview, and returns its value. */
async function createFirstKey(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Create a virtual key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("mine");
  for (const _step of [1, 2, 3]) await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  return (await dialog.locator("[data-secret]").textContent()) ?? "";
}

describe("with a stopwatch", () => {
  it("the link that a first start prints leads to a key, its call seen live, and the bill, in a minute and ten clicks", async () => {
    const begun = performance.now();
    await using fresh = await serveFresh();
    const { page, faults, close } = await openPage(browser);
    await page.addInitScript(countPresses);
    await page.goto(fresh.link);
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(page.url()).not.toContain("sign-in");
    await photograph(page, "first-steps");
    const key = await createFirstKey(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("navigation").getByRole("link", { name: "Live" }).click();
    await page.locator(".badge-good", { hasText: "Live" }).waitFor();
    const sent = await fetch(`${fresh.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "What does this cost?" }] }),
    });
    expect(sent.status).toBe(200);
    await page.getByRole("link", { name: sent.headers.get("x-tg-event-id") ?? "" }).click();
    await page
      .getByText(/^(The lines add up to the total|The request used nothing that costs\.|Nothing was billed\.)/)
      .first()
      .waitFor();
    await page.getByText("local/echo").first().waitFor();
    expect(await pressesOf(page)).toBeLessThanOrEqual(10);
    expect(await pressesOf(page)).toBeGreaterThan(2);
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(faults).toEqual([]);
    await close();
    const second = await openPage(browser);
    await second.page.goto(fresh.link);
    await second.page.getByText("The sign-in link was used already or has ended.").waitFor();
    await photograph(second.page, "link-ended");
    await second.close();
  });

  it("that link leads to the explained bill of an own request in a minute and eight clicks", async () => {
    const begun = performance.now();
    await using fresh = await serveFresh();
    const { page, faults, close } = await openPage(browser);
    await page.addInitScript(countPresses);
    await page.goto(fresh.link);
    await page.getByRole("navigation").getByRole("link", { name: "Playground" }).click();
    await page.locator(".chat-head input").fill("local/echo");
    await page.getByLabel("Message").fill("What does this cost?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("link", { name: "Bill" }).click();
    await page
      .getByText(/^(The lines add up to the total|The request used nothing that costs\.|Nothing was billed\.)/)
      .first()
      .waitFor();
    expect(await pressesOf(page)).toBeLessThanOrEqual(8);
    expect(await pressesOf(page)).toBeGreaterThan(2);
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(faults).toEqual([]);
    await close();
  });

  it("a refused request says why after one click, and who spends is seen after two", async () => {
    const { page, close } = await openAs("nora", "ai/requests?from=-30d&reason=token_limited");
    await page.evaluate(countPresses);
    await page.locator("tbody tr[data-link]").first().click();
    await page.getByText("Why was this refused?").waitFor();
    await page.getByText("A token rate limit is exhausted").first().waitFor();
    expect(await pressesOf(page)).toBe(1);
    await page.evaluate("window.presses = 0");
    await page.getByRole("navigation").getByRole("link", { name: "Cost explorer" }).click();
    await page.getByLabel("Group by").selectOption("key_id");
    await page.getByRole("cell", { name: "vets website" }).first().waitFor();
    expect(await pressesOf(page)).toBeLessThanOrEqual(2);
    await close();
  });
});

/** Every screen of the menu, by its path. */
const places = [
  ...["", "notifications", "ai/live", "ai/requests", "ai/costs", "ai/budgets", "ai/keys", "ai/projects"],
  ...["ai/customers", "ai/playground", "ai/routing", "ai/models", "ai/health", "backups", "me"],
  ...["tenants", "quotas", "users", "roles", "audit"],
  ...["clusters", "servers", "volumes", "networks", "ai/cache", "theme"],
];

interface Visited {
  readonly isInMenu: boolean;
  readonly isForbidden: boolean;
  /** Calls that the gateway refused. */
  readonly refused: readonly string[];
}

/** Opens every place and tells what somebody finds there. */
async function visitAll(page: Page): Promise<Record<string, Visited>> {
  const links = page.getByRole("navigation").getByRole("link");
  await settled(page);
  const menu = new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? "")));
  const found: Record<string, Visited> = {};
  for (const place of places) {
    const refused: string[] = [];
    const note = (answer: { status(): number; url(): string }) => {
      if (answer.status() === 403) refused.push(new URL(answer.url()).pathname);
    };
    page.on("response", note);
    await page.goto(`${gateway.url}/console/${place}`);
    await page.locator("main h1, main .state h2").first().waitFor();
    await settled(page);
    const isForbidden = (await page.getByText("You are not permitted to do this.").count()) > 0;
    page.off("response", note);
    found[place] = { isInMenu: menu.has(place === "" ? "./" : place), isForbidden, refused };
  }
  return found;
}

describe("who sees what", () => {
  it.each(["admin", "nora", "ben", "vera"])(
    "%s finds every screen in the menu, and nothing on them is refused",
    async (user) => {
      const { page, close } = await openAs(user, "");
      const found = await visitAll(page);
      const whole = { isInMenu: true, isForbidden: false, refused: [] };
      expect(found).toEqual(Object.fromEntries(places.map((place) => [place, whole])));
      await close();
    },
  );

  it("somebody who may read keys alone finds those; every other screen names the permission that is missing", async () => {
    const headers = { "auth-token": gateway.tokens.admin, region: "local", "content-type": "application/json" };
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()) as { id: string; value: string };
    };
    const role = await call("/roles", {
      name: "Reader of keys",
      permissions: ["ai-get", "context-get", "dashboards-get"],
    });
    const user = await call("/users", { username: "kim", roles: [role.id] });
    const { value } = await call(`/users/${user.id}/tokens`, { name: "kim", permissions: ["*"] });
    const { page, close } = await openPage(browser);
    await page.goto(`${gateway.url}/console/`);
    await signIn(page, value);
    await page.locator(".shell").waitFor();
    const found = await visitAll(page);
    const open = new Set(["", "ai/keys"]);
    for (const place of places) {
      const { isInMenu, isForbidden } = found[place] as Visited;
      expect({ place, isInMenu, isForbidden }).toEqual({
        place,
        isInMenu: open.has(place),
        isForbidden: !open.has(place),
      });
    }
    await page.goto(`${gateway.url}/console/users`);
    await page.getByText("An administrator of your tenant can grant the permission users-get").waitFor();
    await photograph(page, "forbidden");
    await close();
  });
});

describe("at 200 % zoom", () => {
  it("no screen has a barrier or scrolls sideways", async () => {
    const { page, faults, close } = await openAs("nora", "", { width: 720, scale: 2 });
    const bad: Record<string, unknown> = {};
    for (const place of places) {
      await page.goto(`${gateway.url}/console/${place}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      const barriers = await findBarriers(page);
      const width = Number(await page.evaluate('document.querySelector("main").scrollWidth'));
      if (barriers.length > 0 || width > 720) bad[place] = { barriers, width };
    }
    expect({ bad, faults }).toEqual({ bad: {}, faults: [] });
    await close();
  });
});
