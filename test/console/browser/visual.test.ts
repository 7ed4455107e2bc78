import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { comparePicture, storePicture } from "./pictures.ts";
import { screens } from "./places.ts";
import { answerFrom, loadRecording, recordedOrigin, storeRecording } from "./recorded.ts";
import { settled } from "./signing-in.ts";

/** With `PICTURES=1` the demo's answers are recorded and the pictures stored anew; look at them before you commit them. */
const isRecording = process.env.PICTURES === "1";
const recording = loadRecording(isRecording);

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  if (isRecording) storeRecording(recording);
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

/** One font for all machines, no caret and no movement. */
const evenStyle = `addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "* { font-family: 'DejaVu Sans' !important; caret-color: transparent !important } code, pre, .mono { font-family: 'DejaVu Sans Mono' !important }";
  document.head.append(style);
});`;

/** The first link of the page to something below that path. */
const firstLink = (page: Page, path: string) => page.locator(`main a[href^="${path}/"]`).first().getAttribute("href");

const allScreensMs = 400_000;

describe.each([
  { colors: "light", width: 1440 },
  { colors: "dark", width: 390 },
] as const)("the screens in $colors colours, $width pixels wide", ({ colors, width }) => {
  it(
    "look as they are stored",
    async () => {
      const { page, close } = await openPage(browser, { colors, width, isPolicyOff: true });
      await page.clock.setFixedTime(recording.at);
      await page.addInitScript(evenStyle);
      const missing: string[] = [];
      const quiet = await answerFrom(recording, page, { gateway: gateway.url, isRecording, missing });
      const places: (readonly [string, string])[] = [...screens];
      if (isRecording) {
        const headers = { origin: gateway.url, "x-tg-console": "1" };
        await page
          .context()
          .request.post(`${gateway.url}/session`, { headers, data: { token: gateway.tokens.users.nora } });
      }
      await page.goto(`${recordedOrigin}/console/ai/keys`);
      await page.locator(".shell").waitFor();
      await settled(page);
      await quiet();
      places.push(["key", (await firstLink(page, "ai/keys")) ?? "ai/keys"]);
      await page.goto(`${recordedOrigin}/console/ai/requests?from=-30d&status=200`);
      await settled(page);
      await quiet();
      places.push(["request", (await firstLink(page, "ai/requests")) ?? "ai/requests"]);
      const differences: string[] = [];
      for (const [name, path] of places) {
        await page.goto(`${recordedOrigin}/console/${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        await quiet();
        await page.evaluate("document.fonts.ready.then(() => undefined)");
        const picture = await page.screenshot({ animations: "disabled" });
        if (isRecording) storePicture(`${name}-${colors}`, picture);
        const difference = comparePicture(`${name}-${colors}`, picture);
        if (difference) differences.push(difference);
      }
      expect({ differences, missing }).toEqual({ differences: [], missing: [] });
      await close();
    },
    allScreensMs,
  );
});
