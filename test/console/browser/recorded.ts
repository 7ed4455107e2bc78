import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page, Route } from "playwright-core";

/** What a gateway answered a request of the console. */
interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What the demo answered the console, once: pages made of it look the same at any time. */
export interface Recording {
  /** When it was made: the clock of its pages, in milliseconds. */
  readonly at: number;
  /** By method and address. */
  readonly answers: Record<string, RecordedAnswer>;
}

const file = fileURLToPath(new URL("../../fixtures/console/answers.json.gz", import.meta.url));

/** The stored recording, or an empty one that begins now. */
export function loadRecording(isNew: boolean): Recording {
  if (isNew || !existsSync(file)) return { at: Date.now(), answers: {} };
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording;
}

export function storeRecording(recording: Recording): void {
  writeFileSync(file, gzipSync(JSON.stringify(recording), { level: 9 }));
}

/** The address of pages that show a recording: no server is asked there, and the page can show it. */
export const recordedOrigin = "http://127.0.0.1:8080";

/** Files of the console itself; all else is an operation. */
const isOwnFile = (url: URL) => url.pathname.startsWith("/console/");

/** Frames without a request after which a page is complete. */
const calmFrames = 12;

/** Where files, and what is not recorded yet, come from. */
interface RecordedFrom {
  /** The address of the gateway. */
  readonly gateway: string;
  readonly isRecording: boolean;
  /** Receives the operations that are not recorded. */
  readonly missing: string[];
}

/**
 * Answers a page of the recorded origin: files from the gateway, operations from the recording; one that is not there is asked of the
 * gateway, if `isRecording`, or noted in `missing`. Streams of events end at once. The returned function resolves when the page has asked
 * for nothing over some frames: cards and charts are read after their screen.
 */
export async function answerFrom(
  { answers }: Recording,
  page: Page,
  { gateway, isRecording, missing }: RecordedFrom,
): Promise<() => Promise<void>> {
  let pending = 0;
  const answer = async (route: Route) => {
    const request = route.request();
    const url = new URL(request.url());
    const address = `${gateway}${url.pathname}${url.search}`;
    if (isOwnFile(url)) return route.fulfill({ response: await route.fetch({ url: address }) });
    if (/\/stream$/.test(url.pathname)) return route.fulfill({ contentType: "text/event-stream", body: ": none\n\n" });
    const key = `${request.method()} ${url.pathname}${url.search} ${request.postData() ?? ""}`.trimEnd();
    if (isRecording && answers[key] === undefined) {
      // Playwright's own request has none of the headers by which a browser says where it comes from.
      const headers = {
        ...(await request.allHeaders()),
        origin: gateway,
        host: new URL(gateway).host,
        "sec-fetch-site": "same-origin",
      };
      const asked = await route.fetch({ url: address, headers });
      const type = asked.headers()["content-type"] ?? "text/plain";
      answers[key] = { status: asked.status(), type, body: await asked.text() };
    }
    const found = answers[key];
    if (found === undefined) missing.push(key);
    const { status, type, body } = found ?? { status: 404, type: "application/json", body: "{}" };
    return route.fulfill({ status, contentType: type, body });
  };
  await page.route("**/*", async (route) => {
    pending++;
    try {
      await answer(route);
    } finally {
      pending--;
    }
  });
  return async () => {
    for (let calm = 0; calm < calmFrames; calm = pending === 0 ? calm + 1 : 0)
      await page.evaluate("new Promise((done) => requestAnimationFrame(done))");
  };
}
