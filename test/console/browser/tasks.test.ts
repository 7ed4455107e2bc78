import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers, photograph } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

it("a task is built of operations, scheduled, run, and its answers shown; what has run is copied", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "ben", path: "tasks" });
  const front = page.getByRole("dialog").last();
  await page.getByRole("button", { name: "Create a task" }).click();
  await front.getByLabel("Name").fill("Weekend");
  await front.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Weekend" }).waitFor();
  await page.getByText("The task has no steps yet.").first().waitFor();
  const run = page.getByRole("button", { name: "Run", exact: true });
  expect(await run.getAttribute("aria-disabled")).toBe("true");

  await page.getByRole("button", { name: "Add a step" }).click();
  await front.getByLabel("Area").selectOption({ label: "Servers" });
  await front.getByLabel("Operation").selectOption({ label: "List servers" });
  await front.getByText("GET /iaas/servers").waitFor();
  await front.getByRole("button", { name: "Save" }).click();
  await page.getByText("1. List servers").waitFor();
  await page.getByRole("button", { name: "Add a step" }).click();
  await front.getByLabel("Area").selectOption({ label: "Virtual keys" });
  await front.getByLabel("Operation").selectOption("ai.createKey");
  const save = front.getByRole("button", { name: "Save" });
  expect(await save.getAttribute("aria-disabled")).toBe("true");
  await front.getByLabel("Name *").fill("of a task");
  await front.getByLabel("Tier *").selectOption("standard");
  await front.getByText("POST /ai/keys").waitFor();
  await photograph(page, "task-step");
  expect(await findBarriers(page)).toEqual([]);
  await save.click();
  await page.getByText(/^2. Create a virtual key/).waitFor();

  await page.getByRole("button", { name: "Schedule" }).click();
  await front.getByLabel("Runs").selectOption({ label: "Again and again" });
  await front.getByLabel("cron").fill("0 6 * *");
  expect(await save.getAttribute("aria-disabled")).toBe("true");
  await front.getByLabel("cron").fill("0 6 * * 1");
  await save.click();
  await page.getByText("0 6 * * 1").waitFor();
  await page.getByText("Next run").waitFor();
  const add = page.getByRole("button", { name: "Add a step" });
  await expect.poll(() => add.getAttribute("title")).toBe("The task is scheduled: take the schedule off first.");
  await page.getByRole("button", { name: "Take off" }).click();
  await front.getByRole("button", { name: "Take off" }).click();
  await page.getByText("It runs when somebody runs it.").waitFor();

  await run.click();
  await front.getByRole("button", { name: "Run" }).click();
  await page.getByText(/^The answers below are complete/).waitFor();
  const answers = page.getByText("Answer", { exact: true });
  await answers.nth(1).click();
  await page.getByText(/sk-tg-/).waitFor();
  await photograph(page, "task");
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await answers.nth(1).click();
  expect(await page.getByText(/sk-tg-/).count()).toBe(0);

  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await front.getByLabel("Name").fill("Weekend again");
  await front.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Weekend again" }).waitFor();
  await page.getByRole("button", { name: "Edit: 2" }).click();
  await front.getByLabel("Fields").fill("[");
  await front.getByText("This is not valid JSON.").waitFor();
  await front.getByLabel("Fields").fill('{"name": "no tier"}');
  await front.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await front.getByRole("button", { name: "Run" }).click();
  await page.getByText("Failed", { exact: true }).first().waitFor();
  await page.getByText(/invalid_request/).waitFor();
  await photograph(page, "task-failed");
  await page.getByRole("button", { name: "Delete" }).click();
  await front.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
  await page.getByRole("link", { name: /^Weekend again/ }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^Weekend/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
