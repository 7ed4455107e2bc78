import type { Browser, Page } from "playwright-core";
import { openPage, type WatchedPage } from "./browser.ts";
import type { DemoGateway } from "./gateway.ts";

/** Signs in with an access token. */
export async function signIn(page: Page, token: string | undefined): Promise<void> {
  await page.locator("input[type=password]").fill(token ?? "");
  await page.locator("form button[type=submit]").click();
}

/** Where a page is opened, and as whom. */
export interface OpenedPlace {
  readonly browser: Browser;
  readonly gateway: DemoGateway;
  /** `admin`, or one of the demo's users. */
  readonly user: string;
  /** Below `/console/`. */
  readonly path: string;
  readonly options?: Parameters<typeof openPage>[1];
}

/** Opens a screen of the console as somebody who has signed in. */
export async function openAs({ browser, gateway, user, path, options = {} }: OpenedPlace): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${gateway.url}/console/${path}`);
  await signIn(watched.page, user === "admin" ? gateway.tokens.admin : gateway.tokens.users[user]);
  await watched.page.locator(".shell").waitFor();
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched;
}

/** Waits until nothing is being loaded; the live log never ends. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main .skeleton").first().waitFor({ state: "detached" });
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
