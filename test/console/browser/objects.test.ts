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

const open = (user: string, path: string) => openAs({ browser, gateway, user, path });

it("a shared address is shown with its end; a bucket is looked into, its object shared, and all its versions deleted", async () => {
  const { page, faults, close } = await open("ben", "objects");
  const front = page.getByRole("dialog").last();
  await page.getByRole("tab", { name: "Shared addresses" }).click();
  await page.getByRole("button", { name: "Address: opening-hours.txt" }).click();
  const link = front.getByRole("link", { name: "Open" });
  const url = (await link.getAttribute("href")) ?? "";
  expect(await (await fetch(url)).text()).toContain("Monday to Friday");
  await photograph(page, "shared-address");
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Buckets", exact: true }).click();
  await page.getByRole("cell", { name: "bakery-pictures", exact: true }).click();
  await page.getByText("opening-hours.txt").waitFor();
  await page.getByText("27 B").waitFor();
  await photograph(page, "bucket");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Share an object: opening-hours.txt" }).click();
  await front.getByLabel("Good for").selectOption({ label: "One hour" });
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/objectstore/shared_url")),
    front.getByRole("button", { name: "Share" }).click(),
  ]);
  expect(JSON.parse(request.postData() ?? "")).toMatchObject({ bucket: "bakery-pictures", expire: 3_600 });
  await page.getByText("Saved.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Buckets" }).click();
  await page.getByRole("button", { name: "Delete all versions: bakery-pictures" }).click();
  const remove = front.getByRole("button", { name: "Delete all versions" });
  expect(await remove.getAttribute("aria-disabled")).toBe("true");
  await front.getByLabel("Type bakery-pictures to confirm.").fill("bakery-pictures");
  await remove.click();
  await page.getByText("Done.").waitFor();
  await page.getByRole("cell", { name: "bakery-pictures", exact: true }).click();
  await page.getByText("There are no objects here.").waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("a bucket is shared with a project, which sees it, until it is no longer", async () => {
  const vera = await open("vera", "objects/received");
  await vera.page.getByRole("cell", { name: "bakery-pictures", exact: true }).waitFor();
  const { page, faults, close } = await open("ben", "objects");
  await page.getByRole("button", { name: "Stop sharing: bakery-pictures" }).click();
  const front = page.getByRole("dialog").last();
  await front.getByRole("button", { name: "Stop sharing" }).click();
  await page.getByText("No bucket is shared.").waitFor();
  await vera.page.reload();
  await vera.page.getByText("Nobody shares a bucket with your projects.").waitFor();
  await page.getByRole("button", { name: "Share a bucket" }).first().click();
  await front.getByLabel("Bucket").fill("bakery-pictures");
  await front.getByLabel("Shared with project").fill("no such project");
  await front.getByRole("button", { name: "Share" }).click();
  await front.getByRole("alert").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await photograph(page, "share-bucket");
  expect(faults).toEqual([]);
  await vera.close();
  await close();
});
