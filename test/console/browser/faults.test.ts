import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { findBarriers } from "./checks.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { screens } from "./places.ts";
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

/** What the frame of every page cannot do without; all else is read by the screen. */
const ofFrame = /^\/(console|session|context|permissions|dashboards|i18n|regions)(\/|$)/;

/** Screens of one form, which read nothing before it is sent, and the one whose reads are those of every page. */
const withoutReads = new Set(["live", "playground", "embeddings", "decisions", "routing", "objects-buckets", "texts"]);

/** Answers what the screen reads. */
async function answerReads(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route(
    (url) => !ofFrame.test(url.pathname),
    (route) => (route.request().method() === "GET" ? answer(route) : route.continue()),
  );
}

/** Opens each screen over a gateway that answers its reads so, and notes what the look at it returns. */
async function lookAtAll(
  answer: (route: Route) => Promise<void>,
  look: (page: Page) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const { page, faults, close } = await openAs({ browser, gateway, user: "nora", path: "theme" });
  await answerReads(page, answer);
  const wrong: Record<string, string> = {};
  for (const [name, path] of screens) {
    if (withoutReads.has(name)) continue;
    await page.goto(`${gateway.url}/console/${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const found = await look(page);
    if (found !== undefined) wrong[name] = found;
  }
  for (const fault of faults) wrong[fault] = "a fault of the page";
  await close();
  return wrong;
}

const allScreensMs = 300_000;

describe("every screen", () => {
  it(
    "says what failed, with the event's id, and offers to try again",
    async () => {
      const error = { code: "store_unavailable", message: "The store is away.", event_id: "evt_of_fault" };
      const wrong = await lookAtAll(
        (route) => route.fulfill({ status: 503, json: { error } }),
        async (page) => {
          const alert = page.getByRole("alert").filter({ hasText: "evt_of_fault" }).first();
          const isThere = await alert.waitFor({ timeout: 8_000 }).then(
            () => true,
            () => false,
          );
          if (!isThere) return `no alert: ${((await page.locator("main").textContent()) ?? "").slice(0, 200)}`;
          const barriers = await findBarriers(page);
          return barriers.length > 0 ? barriers.join("; ") : undefined;
        },
      );
      expect(wrong, JSON.stringify(wrong, null, 1)).toEqual({});
    },
    allScreensMs,
  );

  it(
    "names the permission that is missing",
    async () => {
      const error = {
        code: "permission_denied",
        message: "You need the permission `x-get`.",
        event_id: "evt_of_fault",
      };
      const wrong = await lookAtAll(
        (route) => route.fulfill({ status: 403, json: { error } }),
        async (page) => {
          const said = page.locator("main").getByText("x-get").first();
          return said.waitFor({ timeout: 8_000 }).then(
            () => undefined,
            async () => `not said: ${((await page.locator("main").textContent()) ?? "").slice(0, 200)}`,
          );
        },
      );
      expect(wrong, JSON.stringify(wrong, null, 1)).toEqual({});
    },
    allScreensMs,
  );

  it(
    "shows the shape of what is coming while it is read",
    async () => {
      const wrong = await lookAtAll(
        () => new Promise(() => {}), // never answered
        async (page) =>
          page
            .locator("main [role=status]")
            .first()
            .waitFor({ timeout: 8_000 })
            .then(
              () => undefined,
              async () => `no skeleton: ${((await page.locator("main").textContent()) ?? "").slice(0, 200)}`,
            ),
      );
      expect(wrong, JSON.stringify(wrong, null, 1)).toEqual({});
    },
    allScreensMs,
  );
});

it.each([
  ["Alerts", "alerts", undefined],
  ["Tasks", "tasks", "Create a task"],
  ["Object store", "objects", "Share a bucket"],
  ["Provider credentials", "ai/credentials", "Add a credential"],
])("%s keeps what was read without a connection, and says why nothing can be changed", async (name, path, action) => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "nora", path });
  await settled(page);
  const rows = await page.locator("main tbody tr").count();
  await page.context().setOffline(true);
  await page.getByRole("navigation").getByRole("link", { name: "Budgets" }).click();
  await page
    .getByText(/^The gateway cannot be reached/)
    .first()
    .waitFor();
  await page.locator(`nav a[href="${path}"]`).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await expect.poll(() => page.locator("main tbody tr").count()).toBe(rows);
  if (action !== undefined)
    expect(await page.getByRole("button", { name: action }).getAttribute("aria-disabled")).toBe("true");
  await page.context().setOffline(false);
  await page
    .getByText(/^The gateway cannot be reached/)
    .first()
    .waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await close();
});
