import type { Browser, Page } from "playwright-core";
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

const front = (page: Page) => page.getByRole("dialog").last();

it("a backup is restored as a new volume, over its volume once its name is typed, and held for longer", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "ben", path: "backups" });
  await page.locator("tbody tr", { hasText: "available" }).first().click();
  await front(page).getByText("The chain: an incremental backup needs all before it").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await front(page).getByRole("button", { name: "Restore" }).click();
  await front(page).getByLabel("Availability zone").fill("nova");
  await front(page).getByLabel("Name", { exact: true }).fill("bakery-copy");
  await front(page).getByRole("button", { name: "Restore" }).click();
  await page.getByText("The restore has begun.").waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
  const headers = { "auth-token": gateway.tokens.users.ben ?? "", region: "local" };
  const readVolumes = async () => (await fetch(`${gateway.url}/iaas/volumes`, { headers })).text();
  await expect.poll(readVolumes).toContain("bakery-copy"); // a job restores, and may wait for its turn
  await front(page).getByRole("button", { name: "Restore" }).click();
  await front(page).getByLabel("Restore as").selectOption({ label: "The volume it was made of" });
  await front(page).getByText("Everything on the volume is replaced by the backup.").waitFor();
  await front(page).getByText("It is attached to bakery-web-1.").waitFor();
  const restore = front(page).getByRole("button", { name: "Restore" });
  expect(await restore.getAttribute("aria-disabled")).toBe("true");
  await front(page).getByLabel("Type bakery-data to confirm.").fill("bakery-data");
  expect(await restore.getAttribute("aria-disabled")).toBe("false");
  await photograph(page, "restore");
  await front(page).getByRole("button", { name: "Cancel" }).click();
  await front(page).getByRole("button", { name: "Hold for longer" }).click();
  await front(page).getByLabel("Days from now").fill("60");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith("/extend")),
    front(page).getByRole("button", { name: "Save" }).click(),
  ]);
  expect(JSON.parse(request.postData() ?? "")).toEqual({ ttl: "60d" });
  await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

it("the calendar has a row for each resource, and policies say when they run, in the caller's language", async () => {
  const { page, faults, close } = await openAs({
    ...{ browser, gateway, user: "ben", path: "backups?tab=calendar" },
    options: { locale: "de-DE" },
  });
  await page.getByRole("rowheader", { name: "bakery-data" }).waitFor();
  await page.getByRole("tab", { name: "Richtlinien" }).click();
  await page.getByText("Jeden Tag um 02:00 UTC").waitFor();
  await page.getByText("Jeden Sonntag um 03:00 UTC").waitFor();
  expect(await page.getByRole("region", { name: "Daily" }).locator("li").count()).toBe(5);
  expect(faults).toEqual([]);
  await close();
});
