import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { type DemoGateway, serveDemo } from "./gateway.ts";
import { openAs, signIn } from "./signing-in.ts";

let browser: Browser;
let gateway: DemoGateway;
beforeAll(async () => {
  [browser, gateway] = [await openBrowser(), await serveDemo()];
});
afterAll(async () => {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
});

/** Runs in the page: notes when the first screen has its heading, in milliseconds since the navigation. */
const noteFirstScreen = `new MutationObserver((_changes, observer) => {
  if (!document.querySelector("main h1")) return;
  observer.disconnect();
  window.firstScreenAt = performance.now();
}).observe(document, { childList: true, subtree: true });`;

const readTimes = `[performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, window.firstScreenAt]`;

/** What a page with one heading needs to its first paint at this speed, on the machine that the budgets were set on. */
const plainPaintMs = 100;

it("paints within 400 ms and is of use within 800 ms on a processor of a quarter of the speed", async () => {
  const { page, close } = await openPage(browser);
  await page.goto(`${gateway.url}/console/ai/keys`);
  await signIn(page, gateway.tokens.users.nora);
  await page.locator("main h1").waitFor();
  await page.addInitScript(noteFirstScreen);
  const body = "<!doctype html><main><h1>Plain</h1></main>";
  await page.route(/\/console\/plain$/, (route) => route.fulfill({ contentType: "text/html", body }));
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const times = { console: [] as number[][], plain: [] as number[][] };
  // The best of some, and measured beside a plain page: the machine may be slow, or have other work.
  for (let tries = 0; tries < 8; tries++) {
    for (const [path, kind] of [["ai/keys", "console"] as const, ["plain", "plain"] as const]) {
      await page.goto(`${gateway.url}/console/${path}`);
      await page.locator("main h1").waitFor();
      await expect.poll(async () => Number.isFinite(((await page.evaluate(readTimes)) as number[])[0])).toBe(true);
      times[kind].push((await page.evaluate(readTimes)) as number[]);
    }
  }
  const best = (all: number[][], at: number) => Math.min(...all.map((one) => one[at] ?? Number.POSITIVE_INFINITY));
  const slowness = Math.max(1, best(times.plain, 0) / plainPaintMs);
  expect(best(times.console, 0), JSON.stringify(times)).toBeLessThan(400 * slowness);
  expect(best(times.console, 1), JSON.stringify(times)).toBeLessThan(800 * slowness);
  await close();
});

/** A request as the list has it. */
function requestAt(number: number) {
  return {
    ...{ event_id: `evt_${number}`, at: "2026-01-01T00:00:00.000Z", request_type: "chat_completion" },
    ...{ model_requested: "a/b", model: "a/b", provider: "a", status: 200, reason: "ok", latency: number, saved: 0 },
    ...{ prompt_tokens: 1, completion_tokens: 1, cached_read_tokens: 0, cached_write_tokens: 0, reasoning_tokens: 0 },
    ...{ cost: 0, price: 0, attempt_count: 1, is_estimated: false, is_unpriced: false },
  };
}

it("shows a hundred thousand requests, of which few rows are in the page", async () => {
  const { page, faults, close } = await openAs({ browser, gateway, user: "nora", path: "ai/routing" });
  const rows = Array.from({ length: 100_000 }, (_unused, number) => requestAt(number));
  await page.route(/\/ai\/requests\?/, (route) => route.fulfill({ json: rows }));
  await page.getByRole("navigation").getByRole("link", { name: "Requests" }).click();
  await page.getByText("100,000 in all").waitFor();
  const frame = page.locator(".table-long");
  for (const share of [0.3, 0.71, 1]) {
    await frame.evaluate(scrollTo, share);
    const wanted = Math.floor(share * 99_990);
    await page.locator(`a[href="ai/requests/evt_${wanted}"]`).waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBeLessThan(100);
  }
  expect(faults).toEqual([]);
  await close();
});

/** The part of an element of the page that scrolling needs; Node has no types of it. */
interface ScrolledElement {
  readonly scrollHeight: number;
  scrollTo(x: number, y: number): void;
}

function scrollTo(element: ScrolledElement, share: number): void {
  element.scrollTo(0, element.scrollHeight * share);
}

describe("the live log", () => {
  it("of an hour's events keeps few rows, and a bounded heap", async () => {
    const { page, faults, close } = await openAs({ browser, gateway, user: "nora", path: "ai/routing" });
    let streams = 0;
    await page.route(/\/ai\/requests\/stream/, (route) => {
      streams++;
      return route.fulfill({ contentType: "text/event-stream", body: eventsOf(streams) });
    });
    await page.getByRole("navigation").getByRole("link", { name: "Live" }).click();
    await page.locator("tbody tr").first().waitFor();
    const before = await heapOf(page);
    // The gateway sends at most 20 events a second: 72,000 in an hour. Each stream has 10,000.
    await expect.poll(() => streams, { timeout: 90_000 }).toBeGreaterThan(8);
    expect(await page.locator("tbody tr").count()).toBeLessThanOrEqual(200);
    const after = await heapOf(page);
    expect(after).toBeLessThan(60_000_000);
    expect(after - before).toBeLessThan(10_000_000);
    expect(faults).toEqual([]);
    await close();
  });
});

/** Ten thousand settled requests as a stream. */
function eventsOf(stream: number): string {
  const one = { type: "settled", at: "2026-01-01T00:00:00.000Z", status: 200, reason: "ok", target: "a/b", latency: 9 };
  const frames = Array.from({ length: 10_000 }, (_unused, number) => {
    const id = `m.${stream * 10_000 + number}`;
    return `id: ${id}\nevent: settled\ndata: ${JSON.stringify({ ...one, event_id: `evt_${id}` })}\n\n`;
  });
  return frames.join("");
}

/** Bytes of the page's heap after its garbage is collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}
