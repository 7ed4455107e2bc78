import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ErrorBody } from "../../../src/engine/api/error.ts";
import { createFetch } from "../../../src/http/server/fetch.ts";
import { createListener } from "../../../src/http/server/node.ts";
import { echo, engineDouble } from "../support/engine-double.ts";
import { connectRaw, serve, stillClock, type TestServer } from "../support/server.ts";

const accept = async () => ({
  object: "list" as const,
  model: "double/m",
  data: [],
  results: [],
  id: "x",
  answers: {},
});
const engine = engineDouble({
  chat: async () => echo({ model: "double/m", messages: [] }),
  streamChat: async () => (async function* () {})(),
  embed: accept,
  rerank: accept,
  decide: accept,
  models: accept,
});
const call = createFetch(engine, { bodyLimit: 5_000 });
const rejections: unknown[] = [];
const note = (reason: unknown) => void rejections.push(reason);
let server: TestServer;

beforeAll(async () => {
  process.on("unhandledRejection", note);
  server = await serve(createListener({ engine, clock: stillClock, bodyLimit: 5_000 }));
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await server[Symbol.asyncDispose]();
  expect(rejections).toEqual([]);
});

const paths = ["/v1/chat/completions", "/v1/embeddings", "/v1/rerank", "/v1/decisions", "/v1/models", "/health"];
const path = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...paths) }, { weight: 1, arbitrary: fc.webPath() });
const query = fc.oneof(fc.constant(""), fc.webQueryParameters(), fc.string());
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS");
const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "application/x+json;charset=utf-8",
      "text/plain",
      "/",
      "application/json/",
    ),
    "content-encoding": fc.constantFrom("gzip", "br", "deflate", "identity", "constructor", ""),
    authorization: fc.constantFrom("Bearer sk-tg-1", "Bearer", "Basic ???", "Basic", ":", "Bearer  "),
    "x-tg-raw": fc.constantFrom("true", "", "\t"),
  },
  { requiredKeys: [] },
);
const bytes = fc.uint8Array({ maxLength: 6_000 });
const json = fc.json({ maxDepth: 6 }).map((text) => new TextEncoder().encode(text));
const body = fc.oneof(bytes, json);

/** The answer is a success or one of ours, never a defect, and always with its event id. */
async function expectSane(response: Response): Promise<void> {
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get("x-tg-event-id")).toMatch(/^evt_\d+$/);
  const text = await response.text();
  if (response.status < 400 || text === "") return;
  expect(ErrorBody.parse(JSON.parse(text)).status_code).toBe(response.status);
}

test("whatever is asked, however: never a 500, always the one error body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ path, query, method, headers, body }), async (asked) => {
      const hasBody = asked.method !== "GET" && asked.method !== "HEAD";
      const init = { method: asked.method, headers: asked.headers, ...(hasBody ? { body: asked.body } : {}) };
      await expectSane(await call(`http://engine${asked.path}?${asked.query}`, init));
    }),
    { numRuns: 1_000 },
  );
});

test("random JSON in a well-declared body reaches the engine as it was sent", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths.slice(0, 4)), fc.jsonValue({ maxDepth: 5 }), async (target, value) => {
      const text = JSON.stringify(value);
      fc.pre(text.length <= 5_000);
      const before = engine.asked.length;
      const response = await call(`http://engine${target}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: text,
      });
      await expectSane(response);
      expect(engine.asked.length).toBe(before + 1);
      expect(JSON.stringify(engine.asked.at(-1)?.request)).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

test("a body cut anywhere into pieces is the same body", async () => {
  const text = JSON.stringify({ model: "double/m", messages: [{ role: "user", content: "grüße 👋" }] });
  const whole = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 5 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const head = `POST /v1/rerank HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`;
      const pieces = edges
        .slice(1)
        .map((end, n) => whole.subarray(edges[n], end))
        .filter((piece) => piece.length > 0);
      const chunked = pieces.flatMap((piece) => [
        Buffer.from(`${piece.length.toString(16)}\r\n`),
        piece,
        Buffer.from("\r\n"),
      ]);
      const before = engine.asked.length;
      await connectRaw(server.port, Buffer.concat([Buffer.from(head), ...chunked, Buffer.from("0\r\n\r\n")])).over;
      expect(engine.asked[before]?.request).toEqual(JSON.parse(text));
    }),
    { numRuns: 50 },
  );
});

test("random bytes on the socket break nothing: the server answers the next caller", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        bytes,
        fc.string().map((text) => Buffer.from(`POST /v1/rerank HTTP/1.1\r\n${text}\r\n\r\n`)),
      ),
      async (sent) => {
        const { socket, over } = connectRaw(server.port, sent);
        socket.end();
        await over;
        expect((await fetch(`${server.url}/health`)).status).toBe(200);
      },
    ),
    { numRuns: 100 },
  );
});
