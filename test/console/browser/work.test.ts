import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type openPage } from "./browser.ts";
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

const openAs = (user: string, path: string, options: Parameters<typeof openPage>[1] = {}) =>
  openPlace({ browser, gateway, user, path, options });

/** The part of an element of the page that scrolling needs; Node has no types of it. */
interface ScrolledElement extends Pick<EventTarget, "dispatchEvent"> {
  readonly scrollHeight: number;
  scrollTo(x: number, y: number): void;
}

const titled = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** How long a page may take to show what it has asked for, on a machine that is busy. */
const patience = { timeout: 30_000 };

/** The number of rows that the foot of a table tells. */
async function countBelow(page: Page): Promise<number> {
  return Number((await page.locator(".table-foot").textContent())?.replace(/\D/g, ""));
}

describe("the playground", () => {
  it("streams answers side by side over the session, each with its cost, its bill and its code", async () => {
    const { page, faults, close } = await openAs("nora", "ai/playground");
    const sent: { headers: Record<string, string>; body: string | null }[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/ai/playground/chat"))
        sent.push({ headers: request.headers(), body: request.postData() });
    });
    await page.getByRole("button", { name: "Add a model" }).click();
    const models = page.locator(".chat-head input");
    await models.nth(0).fill("local/echo");
    await models.nth(1).fill("local/nothing");
    await page.getByLabel("Message").fill("Good morning");
    await page.getByRole("button", { name: "Send" }).click();
    const column = page.getByRole("region", { name: "local/echo" });
    await column.getByText("You said: Good morning").waitFor();
    await page.getByRole("region", { name: "local/nothing" }).getByText("model_not_found").waitFor();
    await column.getByRole("link", { name: "Bill" }).waitFor();
    expect(sent).toHaveLength(2);
    for (const { headers, body } of sent) {
      expect(headers.authorization).toBeUndefined();
      expect(JSON.parse(body ?? "")).toMatchObject({ project_id: expect.stringMatching(/^prj_/) });
    }
    await column.getByRole("button", { name: "Copy as code" }).click();
    await page.getByRole("dialog").getByText("Good morning").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await photograph(page, "playground");
    expect(await findBarriers(page)).toEqual([]);
    await column.getByRole("link", { name: "Bill" }).click();
    await titled(page, "Request");
    await page.getByText("local/echo").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

it("an answer in Markdown is elements, and markup in it stays text", async () => {
  const { page, faults, close } = await openAs("nora", "ai/playground");
  await page.locator(".chat-head input").fill("local/echo");
  const lines = [
    "**bold** `code`",
    "",
    "- one",
    "- [two](https://example.com/)",
    "",
    "[bad](javascript:alert(1)) <img src=x onerror=alert(1)>",
  ];
  await page.getByLabel("Message").fill(lines.join("\n"));
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.locator(".markdown").last();
  await answer.locator("strong", { hasText: "bold" }).waitFor();
  await answer.locator("li").nth(1).waitFor();
  expect(await answer.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "https://example.com/",
  ]);
  await answer.getByText("[bad](javascript:alert(1)) <img src=x onerror=alert(1)>").waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

describe("the keyboard", () => {
  it("finds a key by its name, opens screens by two letters, and shows what it can do", async () => {
    const { page, faults, close } = await openAs("nora", "");
    await settled(page);
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog");
    await palette.getByRole("combobox").fill("vets website");
    await palette.getByRole("option", { name: /^vets website/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await titled(page, "vets website");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await titled(page, "Cost explorer");
    await page.keyboard.press("?");
    await page.getByText("Single letters are shortcuts").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("budg");
    await page.keyboard.press("Enter");
    await titled(page, "Budgets");
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a key's page", () => {
  it("shows its limits and requests, gives it a new value and another end, and disables it", async () => {
    const { page, faults, close } = await openAs("nora", "ai/keys");
    await page.getByRole("link", { name: /^bakery website/ }).click();
    await titled(page, "bakery website");
    await page.getByRole("heading", { name: "Limits, from the key up" }).waitFor();
    await expect.poll(() => page.locator("tbody tr").count(), patience).toBe(20);
    await page.getByRole("button", { name: "New value" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("The value of before stays valid").selectOption({ label: "One hour" });
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith("/rotate")),
      dialog.getByRole("button", { name: "New value" }).click(),
    ]);
    expect(JSON.parse(request.postData() ?? "")).toEqual({ overlap: 3_600_000 });
    expect(await dialog.locator("[data-secret]").textContent()).toMatch(/^sk-tg-/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Change the end" }).click();
    await dialog.getByLabel("Expires").fill("2031-05-06T07:08");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator('time[datetime="2031-05-06T07:08:00.000Z"]').waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled").waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Disable" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a refused request", () => {
  it("says why after one click, and what would happen now after another", async () => {
    const { page, faults, close } = await openAs("nora", "ai/requests?from=-30d&reason=token_limited");
    await page.locator("tbody tr[data-link]").first().click();
    await page.getByText("Why was this refused?").waitFor();
    await page.getByText("A token rate limit is exhausted").first().waitFor();
    await page.getByRole("link", { name: "What if?" }).click();
    await titled(page, "Routing");
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toMatch(/^(openai|anthropic)\//);
    await page.locator(".plan li, .alert").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe("the list of requests", () => {
  it("reads on while somebody scrolls, and keeps few rows in the page", async () => {
    const { page, close } = await openAs("nora", "ai/requests?from=-30d");
    expect(await countBelow(page)).toBe(200);
    const frame = page.locator(".table-long");
    const scrolledFoot = async () => {
      await frame.evaluate((element: ScrolledElement) => {
        element.scrollTo(0, element.scrollHeight);
        element.dispatchEvent(new Event("scroll")); // once more, before anything is rendered
      });
      return page.locator(".table-foot").textContent();
    };
    await expect.poll(scrolledFoot, patience).toMatch(/^7\d\d in all$/);
    expect(await page.locator("tbody tr").count()).toBeLessThan(100);
    await close();
  });

  it("opens from a bar what it counts, keeps a view under a name, and is stored as CSV", async () => {
    const { page, faults, close } = await openAs("nora", "ai/requests?from=-30d&reason=token_limited");
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("refused");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    const count = await countBelow(page);
    expect(lines[0]).toContain("event_id");
    expect(lines).toHaveLength(count + 1);
    await page.locator(".chart a").first().click();
    await page.waitForURL(/[?&]to=/);
    await expect.poll(() => countBelow(page), patience).toBeLessThan(count);
    await page.getByLabel("Saved views").selectOption("refused");
    await page.waitForURL((url) => !url.searchParams.has("to"));
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a budget whose window has begun", () => {
  it("is drawn over its window, and narrows to one tenant", async () => {
    const { page, faults, close } = await openAs("nora", "ai/budgets");
    const headers = {
      "auth-token": gateway.tokens.users.nora ?? "",
      region: "local",
      "content-type": "application/json",
    };
    const body = { name: "limited", description: "", tier: "standard", user_bound: false };
    const budgets = [{ max_limit: 5, reset_duration: "1M" }];
    const made = await fetch(`${gateway.url}/ai/keys`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...body, budgets }),
    });
    const { value } = (await made.json()) as { value: string };
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "Hello" }] }),
    });
    await page.reload();
    const card = page.getByRole("region", { name: "limited" });
    await card.getByRole("img", { name: "Spend in this window: $0 / $5.00" }).waitFor();
    await card.getByText("resets").waitFor();
    await page.getByLabel("Tenant").selectOption("bakery");
    await page.getByRole("heading", { name: "vets assistant" }).waitFor({ state: "detached" });
    await page.getByRole("navigation").getByRole("link", { name: "Requests" }).click();
    await page.locator(".table-foot").waitFor();
    expect(new URL(page.url()).searchParams.get("customer_id")).toMatch(/^cus_/);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});
