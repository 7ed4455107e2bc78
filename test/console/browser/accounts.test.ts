import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs as openPlace } from "./signing-in.ts";

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
const front = (page: Page) => page.getByRole("dialog").last();

describe("models and prices", () => {
  it("puts the cheapest for a request of one's own size first, narrows, and compares", async () => {
    const { page, faults, close } = await openAs("nora", "ai/models");
    await page.getByText("3,228 in all").waitFor();
    await page.getByLabel("Provider").selectOption("openai");
    await page.getByLabel("Kind").selectOption("chat");
    await page.getByLabel("With a price").check();
    await page.getByRole("searchbox", { name: "Search" }).fill("gpt-5-mini");
    await page.getByRole("checkbox", { name: "Compare openai/gpt-5-mini", exact: true }).check();
    const compared = page.getByRole("region", { name: "Comparison of up to five" }).last();
    const price = compared.getByRole("row", { name: /^Price of the request/ }).locator("span[title]");
    const before = Number((await price.getAttribute("title"))?.slice(1));
    await page.getByLabel("Completion tokens").fill("1000");
    await page.getByLabel("Prompt tokens").fill("2000");
    await expect.poll(async () => Number((await price.getAttribute("title"))?.slice(1))).toBeCloseTo(2 * before, 8);
    expect(new URL(page.url()).searchParams.get("compare")).toBe("openai/gpt-5-mini");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove openai/gpt-5-mini" }).click();
    await compared.waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Search" }).fill("no such model");
    await page.getByText("No row matches the filters.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("shows where prices come from to the provider alone, and reads them again", async () => {
    const { page, faults, close } = await openAs("admin", "ai/models");
    const lists = page.getByRole("region", { name: "Price lists" });
    await lists.getByText(/^3,228, of which \d+ without a price$/).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a project", () => {
  it("is created, limited with a preview of its keys, disabled with its impact, and deleted by its name", async () => {
    const { page, faults, close } = await openAs("ben", "ai/projects");
    await page.getByRole("link", { name: /^bakery assistant/ }).click();
    await page.getByRole("heading", { level: 1, name: "bakery assistant" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await front(page).getByLabel("Budget in US dollars").fill("50");
    await front(page).getByLabel("Every key takes these settings").check();
    const preview = front(page).getByRole("region", { name: "What each key gets" });
    await expect.poll(() => preview.getByText("$50 / 1M").count()).toBe(2);
    expect(await findBarriers(page)).toEqual([]);
    await front(page).getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const keys = page.getByRole("region", { name: "Virtual keys" }).last();
    await expect.poll(() => keys.getByText("$50 / 1M").count()).toBe(2);
    await page.getByRole("button", { name: "Disable" }).click();
    await front(page).getByText("2 active keys stop at once.").waitFor();
    await front(page)
      .getByText(/Requests in the last hour: \d+/)
      .waitFor();
    await front(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("main").getByLabel("User").selectOption({ label: "ben" });
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove: ben" }).click();
    await page.getByText("The project has no members.").waitFor();
    await page.getByRole("link", { name: "AI projects" }).first().click();
    await page.getByRole("button", { name: "Create a project" }).first().click();
    await front(page).getByLabel("Name").fill("trial");
    await front(page).getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "trial" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await front(page).getByLabel("Type trial to confirm.").fill("trial");
    await front(page).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "AI projects" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe("a customer", () => {
  it("gets a budget from a level above, and its own level is told that it may not", async () => {
    const { page, faults, close } = await openAs("nora", "ai/customers");
    await page.getByRole("link", { name: "vets" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await front(page).getByLabel("Budget in US dollars").fill("75");
    await front(page).getByRole("button", { name: "Save" }).click();
    await page.getByText(/\/ \$75\.00/).waitFor();
    const url = page.url();
    expect(faults).toEqual([]);
    await close();
    const vera = await openAs("vera", new URL(url).pathname.replace(/^.*\/console\//, ""));
    await vera.page.getByRole("button", { name: "Edit" }).click();
    await front(vera.page).getByLabel("Budget in US dollars").fill("500");
    await front(vera.page).getByRole("button", { name: "Save" }).click();
    await front(vera.page).getByRole("alert").getByText("permission_denied").waitFor();
    await vera.close();
  });
});
