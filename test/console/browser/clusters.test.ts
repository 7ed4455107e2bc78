import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
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

it("a cluster is made in four steps, grows, is upgraded, gives a kubeconfig, and is deleted by its name", async () => {
  const { page, faults, close } = await open("clusters");
  await page.getByRole("button", { name: "Create a cluster" }).click();
  const dialog = page.getByRole("dialog");
  const project = dialog.getByLabel("Cluster project");
  await project.locator("option").nth(1).waitFor({ state: "attached" });
  await project.selectOption({ index: 1 });
  await dialog.getByLabel("Credentials").locator("option").nth(1).waitFor({ state: "attached" });
  await dialog.getByLabel("Credentials").selectOption({ index: 1 });
  await dialog.getByLabel("Name").fill("a-name-that-is-much-too-long");
  await dialog.locator(".field-error").waitFor();
  await dialog.getByLabel("Name").fill("second");
  await photograph(page, "create-cluster");
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Machine type").selectOption("m1.large");
  await dialog.getByLabel("Image").selectOption({ index: 1 });
  await dialog.getByLabel("Most machines").fill("2");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Kubernetes").selectOption("1.31.4");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByText("1–2 × m1.large").waitFor();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "second" }).waitFor();
  await page.getByText("m1.large").first().waitFor();

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Most machines").fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "1–4" }).waitFor();

  await page.getByRole("button", { name: "Upgrade" }).click();
  const versions = dialog.getByLabel("Kubernetes");
  await versions.waitFor();
  expect(await versions.locator("option").allTextContents()).toEqual(["–", "1.32.2"]);
  await dialog.getByRole("button", { name: "Upgrade" }).click();
  await page.locator("dd", { hasText: "1.32.2" }).waitFor();
  await settled(page);
  await photograph(page, "cluster");
  expect(await findBarriers(page)).toEqual([]);

  const second = page.url();
  await page.goto(`${gateway.url}/console/clusters`); // the new cluster has no API server yet
  await page.getByRole("link", { name: /^shop/ }).click();
  await page.getByRole("button", { name: "Kubeconfig" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("kubeconfig-shop-viewer.yaml");
  expect(parse(readFileSync(await file.path(), "utf8"))).toMatchObject({ kind: "Config" });
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain("certificate-authority");

  await page.goto(second);
  await page.getByRole("button", { name: "Delete" }).first().click();
  expect(await dialog.getByRole("button", { name: "Delete" }).getAttribute("aria-disabled")).toBe("true");
  await dialog.getByLabel("Type second to confirm.").fill("second");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Clusters" }).waitFor();
  await page.getByRole("link", { name: /^second/ }).waitFor({ state: "detached", timeout: 60_000 }); // a deletion takes half a minute
  expect(faults).toEqual([]);
  await close();
});

it("the list says what does not match, and a cluster that is gone", async () => {
  const { page, close } = await open("clusters?q=nothing");
  await page.getByText("No row matches the filters.").waitFor();
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.getByRole("link", { name: /^shop/ }).waitFor();
  await page.goto(`${gateway.url}/console/clusters/garden-none/none`);
  await page.getByText("There is no such cluster.").waitFor();
  await close();
});
