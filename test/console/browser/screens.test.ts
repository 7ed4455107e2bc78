import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type openPage, type WatchedPage } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { screens } from "./places.ts";
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

const openAs = (user: string, path: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> =>
  openPlace({ browser, gateway, user, path, options });

/** The amount in a cell's tooltip, exact, in nano-dollars. */
async function nanoOf(page: Page, selector: string): Promise<bigint[]> {
  const titles = await page.locator(selector).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title")));
  return titles.map((title) => {
    const [, whole = "", decimals = ""] = /^\$(\d+)\.(\d+)$/.exec(title ?? "") ?? [];
    return BigInt(whole + decimals.padEnd(9, "0"));
  });
}

describe("the journey from a number to its reason", () => {
  it("opens from the overview the requests that it sums, and from a request the bill that adds up", async () => {
    const { page, faults, close } = await openAs("nora", "");
    await page.getByRole("link", { name: /^Requests \d/ }).click();
    await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toBe("-7d");
    await page
      .locator("tbody tr", { has: page.getByText("200", { exact: true }) })
      .first()
      .click(); // the newest are refused
    await page.getByText("The lines add up to the total").waitFor();
    const lines = await nanoOf(page, "tbody td:last-child span[title]");
    const [total = 0n] = await nanoOf(page, "tfoot span[title]");
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.reduce((sum, line) => sum + line, 0n)).toBe(total);
    await photograph(page, "request-bill");
    await page.getByRole("tab", { name: "Waterfall" }).click();
    await page.getByRole("img", { name: "Waterfall" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("answers why a request was refused: its row says the reason, and the filter lives in the address", async () => {
    const { page, close } = await openAs("nora", "ai/requests?from=-30d&reason=token_limited");
    await page.getByText("429 token_limited").first().waitFor();
    const states = await page.locator("tbody td:nth-child(2)").allTextContents();
    expect(new Set(states)).toEqual(new Set(["429 token_limited"]));
    await page.getByRole("button", { name: /^Remove the filter/ }).click();
    await page.getByText("200", { exact: true }).first().waitFor();
    expect(page.url()).not.toContain("token_limited");
    await close();
  });
});

describe("a virtual key", () => {
  it("is made in four steps, shown once, and its request is seen live and explained", async () => {
    const { page, faults, close } = await openAs("nora", "ai/keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("journey");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByLabel("Budget in US dollars").fill("20");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByText("$20 / 1M").waitFor();
    await dialog.getByRole("button", { name: "Create" }).click();
    const secret = (await dialog.locator("[data-secret]").textContent()) ?? "";
    expect(secret).toMatch(/^sk-tg-/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("Limits, from the key up").waitFor();
    await page.getByText("$0 / $20.00").waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(page.url()).not.toContain(secret);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await photograph(page, "key");
    await page.goto(`${gateway.url}/console/ai/live`);
    await page.getByRole("heading", { level: 1, name: "Live" }).waitFor();
    await page.locator(".badge-good", { hasText: "Live" }).waitFor();
    const sent = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "Hello" }] }),
    });
    const eventId = sent.headers.get("x-tg-event-id") ?? "";
    expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining("Hello")]);
    await page.getByRole("link", { name: eventId }).click();
    await page.getByRole("heading", { level: 1, name: "Request" }).waitFor();
    await page.getByText("local/echo").first().waitFor();
    await photograph(page, "own-request");
    expect(faults).toEqual([]);
    await close();
  });
});

/** How long it may take to look at every screen, on a machine that is busy. */
const allScreensMs = 300_000;

describe.each([
  { colors: "light", locale: "en-US" },
  { colors: "dark", locale: "de-DE" },
] as const)("the screens in $colors colours, $locale", ({ colors, locale }) => {
  it(
    "have no barriers, no violations of the policy and no errors",
    async () => {
      const { page, faults, close } = await openAs("nora", "", { colors, locale });
      const barriers: Record<string, string[]> = {};
      for (const [name, path] of screens) {
        await page.goto(`${gateway.url}/console/${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        await photograph(page, `${name}-${colors}`);
        const found = await findBarriers(page);
        if (found.length > 0) barriers[name] = found;
      }
      expect({ barriers, faults }).toEqual({ barriers: {}, faults: [] });
      await close();
    },
    allScreensMs,
  );
});

it(
  "fits a phone: no screen scrolls sideways, and the menu opens",
  async () => {
    const { page, close } = await openAs("nora", "", { width: 390 });
    for (const [name, path] of screens) {
      await page.goto(`${gateway.url}/console/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(390);
      expect(await page.evaluate('document.querySelector("main").scrollWidth'), name).toBeLessThanOrEqual(390);
    }
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Virtual keys" }).click();
    await page.getByRole("heading", { level: 1, name: "Virtual keys" }).waitFor();
    await photograph(page, "phone");
    await close();
  },
  allScreensMs,
);
