import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
let key: string;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
  const make = await fetch(`${gateway.url}/ai/keys`, {
    method: "POST",
    headers: { "auth-token": gateway.tokens.users.ben ?? "", region: "local", "content-type": "application/json" },
    body: '{"name":"verbs","description":"","tier":"standard","user_bound":false}',
  });
  key = ((await make.json()) as { value: string }).value;
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

it("texts are embedded with a key that only the page has, and compared with each other", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "ben", path: "ai/playground" });
  await page.getByRole("tab", { name: "Embeddings" }).click();
  await page.getByLabel("Key").fill(key);
  await page.getByLabel("Model").fill("local/nothing");
  await page.getByLabel("Texts").fill("a cat sits\n\na cat is sitting\nthe price of oil");
  const send = page.getByRole("button", { name: "Send" });
  await send.click();
  await page.getByRole("alert").getByText("model_not_found").waitFor();
  await page.getByLabel("Model").fill("local/minilm-l6-v2");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith("/v1/embeddings")),
    send.click(),
  ]);
  expect(request.headers().cookie).toBeUndefined();

  await page.getByRole("region", { name: "How alike they are" }).first().getByText("1.000").first().waitFor();
  const cells = await page.locator("tbody td").allTextContents();
  const likeness = cells.map(Number).filter((value) => Number.isFinite(value) && value <= 1);
  expect(likeness).toHaveLength(9);
  expect(likeness[1]).toBeGreaterThan(likeness[2] ?? 1);
  await page.getByRole("link", { name: "Bill" }).waitFor();
  await photograph(page, "embeddings");
  expect(await findBarriers(page)).toEqual([]);
  const stored = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])");
  expect(stored).not.toContain(key);
  await page.getByRole("tab", { name: "Chat" }).click();
  await page.getByLabel("Message").waitFor();
  await page.getByRole("tab", { name: "Embeddings" }).click();
  expect(await page.getByLabel("Key").inputValue()).toBe("");
  expect(faults).toEqual([]);
  await close();
});

it("typed questions are answered, each option with its probability, and a question without its options is not sent", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "ben", path: "ai/playground/decisions" });
  await page.getByLabel("Key").fill(key);
  await page.getByLabel("Model").fill("local/echo");
  await page.getByLabel("Text that the questions are about").fill("I was charged twice.");
  await page.getByRole("button", { name: "Add a question" }).click();
  const second = page.getByRole("group", { name: "question_2" });
  await second.getByLabel("Kind").selectOption({ label: "One of several" });
  const send = page.getByRole("button", { name: "Send" });
  expect(await send.getAttribute("aria-disabled")).toBe("true");
  await second.getByLabel("Options").fill("billing\ntechnical");
  await second.getByLabel("Question").fill("What is it about?");
  await send.click();
  const answer = page.getByRole("region", { name: "question_2" });
  await answer.getByText("50%").first().waitFor();
  expect(await answer.getByRole("img").count()).toBe(2);
  await photograph(page, "decisions");
  expect(await findBarriers(page)).toEqual([]);
  await second.getByRole("button", { name: "Remove" }).click();
  await second.waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await close();
});
