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

it("a property is set, changed and reset, and one with a choice takes no other value", async () => {
  const { page, faults, close } = await open("properties");
  const front = page.getByRole("dialog").last();
  const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
  await row("support_phone").getByText("Own level").waitFor();
  await row("language").getByText("Inherited").waitFor();
  await row("theme.color.primary").getByText("Default").waitFor();
  await photograph(page, "properties");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Set a property" }).click();
  await front.getByLabel("Name").fill("opening");
  await front.getByLabel("Value").fill("at 8");
  await front.getByRole("button", { name: "Save" }).click();
  await row("opening").getByText("at 8").waitFor();
  await page.getByRole("button", { name: "Edit: opening" }).click();
  await front.getByLabel("Value").fill("at 9");
  await front.getByRole("button", { name: "Save" }).click();
  await row("opening").getByText("at 9").waitFor();
  await page.getByRole("button", { name: "Reset: opening" }).click();
  await front.getByRole("button", { name: "Reset" }).click();
  await row("opening").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit: language" }).click();
  expect(await front.getByLabel("Value").locator("option").allTextContents()).toEqual(["en", "it", "de", "fr", "es"]);
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByLabel("Search").fill("nothing like this");
  await page.getByText("No row matches the filters.").waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("a text in another language is found, said in own words, and shown at once", async () => {
  const { page, faults, close } = await open("texts", { locale: "de-DE" });
  const front = page.getByRole("dialog").last();
  await page.getByRole("heading", { level: 1, name: "Sprachen" }).waitFor();
  await page.getByRole("main").getByLabel("Suche").fill("console.budgets");
  await page.getByRole("button", { name: "Bearbeiten: console.budgets" }).click();
  await front.getByText("Budgets", { exact: true }).first().waitFor();
  await front.getByLabel("Text").fill("Töpfe");
  await photograph(page, "texts");
  expect(await findBarriers(page)).toEqual([]);
  await front.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Töpfe" }).waitFor();
  await page.getByRole("main").getByLabel("Suche").fill("runs_out");
  await page.getByRole("button", { name: "Bearbeiten: limits.runs_out" }).click();
  await front.getByLabel("Text").fill("endet bald");
  await front.getByText(/^Es fehlt: \{when\}/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByLabel("Suche").fill("");
  await page.getByLabel("Nur Unübersetztes").check();
  await page.getByText("Wie im Englischen").first().waitFor();
  await settled(page);
  expect(faults).toEqual([]);
  await close();
});
