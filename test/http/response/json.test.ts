import { expect, test } from "vitest";
import { errorTable, GatewayError } from "../../../src/engine/errors.ts";
import { type CoreListenerOptions, createListener } from "../../../src/http/server/node.ts";
import { echo, engineDouble, hello } from "../support/engine-double.ts";
import { connectRaw, post, rawPost, serve, stillClock } from "../support/server.ts";

const listen = (options: Partial<CoreListenerOptions> = {}) =>
  serve(createListener({ engine: engineDouble({ chat: echo }), clock: stillClock, ...options }));

const answer = { id: "a", object: "list", model: "double/m", data: [], results: [], answers: {} };

test("a chat answer over the wire: these headers, this body, nothing else", async () => {
  await using server = await listen();
  const { socket, until } = connectRaw(server.port, rawPost("/v1/chat/completions", hello));
  const text = await until('"latency":3}}');
  socket.destroy();
  const [head = "", body = ""] = text.replace(/\r\nDate: [^\r]+/, "").split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    "HTTP/1.1 200 OK",
    "content-type: application/json",
    "x-tg-event-id: evt_1",
    "x-request-id: evt_1",
    "x-content-type-options: nosniff",
    "vary: x-tg-key, authorization, x-api-key, x-goog-api-key, api-key, auth-token, cookie, region",
    `content-length: ${Buffer.byteLength(body)}`,
    "Connection: keep-alive",
    "Keep-Alive: timeout=5",
  ]);
  expect(JSON.parse(body)).toEqual(await echo(hello as never));
});

test.each([
  ["POST", "/v1/embeddings", "embed"],
  ["POST", "/v1/rerank", "rerank"],
  ["POST", "/v1/decisions", "decide"],
] as const)("%s %s hands the body to the engine as it is and answers what it says", async (_method, path, verb) => {
  const engine = engineDouble({ [verb]: async () => answer });
  await using server = await listen({ engine });
  const body = { model: "double/m", unknown: { "deep er": [1, null] } };
  const response = await post(server.url + path, body);
  expect([response.status, await response.json()]).toEqual([200, answer]);
  expect(engine.asked).toMatchObject([{ verb, request: body, options: { eventId: "evt_1" } }]);
});

test("GET /v1/models passes the paging of its query on", async () => {
  const engine = engineDouble({ models: async () => ({ data: [], next_page_token: "t" }) });
  await using server = await listen({ engine });
  const response = await fetch(`${server.url}/v1/models?page_size=2&page_token=a%3D&provider=openai`);
  expect(await response.json()).toEqual({ object: "list", data: [], next_page_token: "t" });
  expect({ ...(engine.asked[0]?.request as object) }).toEqual({ page_size: "2", page_token: "a=", provider: "openai" });
});

test("GET /v1/models/{model} gives the model of that name as the list has it", async () => {
  const known = { id: "double/org/m", context_length: 8_192, pricing: { prompt: "0.000001" } };
  const engine = engineDouble({ models: async () => ({ data: [{ id: "double/m" }, known] }) });
  await using server = await listen({ engine });
  const read = (name: string) => fetch(`${server.url}/v1/models/${name}`);
  const capabilities = { completion_chat: true, function_calling: true, vision: false };
  const written = { ...known, object: "model", created: 0, type: "base", capabilities };
  expect(await (await read("double/org/m")).json()).toEqual(written);
  expect(await (await read(encodeURIComponent("double/org/m"))).json()).toEqual(written); // as the openai SDK writes it
  const missing = await read("double/x");
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { code: "not_found", param: "model" } });
});

test("GET /health says ok, and needs no key", async () => {
  await using server = await listen();
  const response = await fetch(`${server.url}/health`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
});

test("GET /openapi.json describes what is served", async () => {
  await using server = await listen();
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object; servers: unknown };
  expect(Object.keys(document.paths)).toContain("/v1/chat/completions");
  expect(document.servers).toEqual([{ url: "/" }]);
});

test("the virtual key, the raw flag and the event id reach the engine", async () => {
  const engine = engineDouble({ chat: echo });
  await using server = await listen({ engine });
  const url = `${server.url}/v1/chat/completions`;
  await post(url, hello, { authorization: "Bearer sk-tg-1", "x-tg-raw": "TRUE" });
  await post(url, hello, { authorization: "Bearer some-service-token", "x-tg-raw": "false" });
  expect(engine.asked.map(({ options: { key, raw, eventId } }) => ({ key, raw, eventId }))).toEqual([
    { key: "sk-tg-1", raw: true, eventId: "evt_1" },
    { key: undefined, raw: false, eventId: "evt_2" },
  ]);
});

test.each(["maybe", "1", "yes"])("x-tg-raw: %s is 400 and names the header", async (wish) => {
  const engine = engineDouble({ chat: echo });
  await using server = await listen({ engine });
  const response = await post(`${server.url}/v1/chat/completions`, hello, { "x-tg-raw": wish });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ type: "invalid_request", error: { param: "x-tg-raw" } });
  expect(engine.asked).toEqual([]);
});

test.each(Object.entries(errorTable))(
  "an engine that throws %s answers its status and the one body",
  async (code, { status }) => {
    const chat = async () => {
      throw new GatewayError(code as never, "No.", { param: "model", provider: "double" });
    };
    await using server = await listen({ engine: engineDouble({ chat }) });
    const response = await post(`${server.url}/v1/chat/completions`, hello);
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({
      type: code,
      status_code: status,
      error: { type: code, param: "model" },
      extra_fields: { provider: "double", model_requested: "double/m", request_type: "chat_completion" },
    });
    const eventId = response.headers.get("x-tg-event-id");
    expect(body).toMatchObject({ event_id: eventId, error: { event_id: eventId } });
  },
);

test("a defect is 500 without inner text; the report holds the cause", async () => {
  const cause = new Error("the secret is hunter2");
  const reports: unknown[] = [];
  await using server = await listen({
    engine: engineDouble({ chat: () => Promise.reject(cause) }),
    onFailure: (error, request) => reports.push([error.cause, request]),
  });
  const response = await post(`${server.url}/v1/chat/completions`, hello);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("hunter2");
  expect(reports).toEqual([[cause, { eventId: "evt_1", method: "POST", path: "/v1/chat/completions" }]]);
});

test("an answer that cannot be written as JSON is a defect, not a crash", async () => {
  await using server = await listen({ engine: engineDouble({ chat: async () => ({ n: 1n }) as never }) });
  expect((await post(`${server.url}/v1/chat/completions`, hello)).status).toBe(500);
});

test("a report that throws breaks nothing", async () => {
  await using server = await listen({
    onFailure: () => {
      throw new Error("log is full");
    },
  });
  const warned = new Promise((resolve) => process.once("warning", resolve));
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
  expect(String(await warned)).toContain("log is full");
});

test("a report that rejects later is a warning, not an unhandled rejection", async () => {
  await using server = await listen({ onFailure: async () => Promise.reject(new Error("log is away")) });
  const warned = new Promise((resolve) => process.once("warning", resolve));
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
  expect(String(await warned)).toContain("log is away");
});

test("an unknown path is 404 not_found, in the one body, with an event id", async () => {
  await using server = await listen();
  for (const path of ["/", "/v1", "/v1/chat", "/v1/models/", "//v1/models", "/V1/models", "/v1/chat/completions/x"]) {
    const response = await fetch(server.url + path);
    expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([404, "not_found"]);
    expect(response.headers.get("x-tg-event-id")).toMatch(/^evt_/);
  }
});

test("a known path with another method is 405 with Allow", async () => {
  await using server = await listen();
  const get = await fetch(`${server.url}/v1/chat/completions`);
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(await get.json()).toMatchObject({ type: "method_not_allowed" });
  const removed = await fetch(`${server.url}/v1/models`, { method: "DELETE" });
  expect([removed.status, removed.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("HEAD is GET without its body", async () => {
  await using server = await listen();
  const { socket, until } = connectRaw(
    server.port,
    "HEAD /health HTTP/1.1\r\nhost: x\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\n\r\n",
  );
  const text = await until('{"status":"ok"}');
  socket.destroy();
  expect(text.split("HTTP/1.1 200 OK")).toHaveLength(3);
  expect(text.match(/content-length: 15/g)).toHaveLength(2);
  expect(text.match(/\{"status":"ok"\}/g)).toHaveLength(1);
  expect((await fetch(`${server.url}/v1/rerank`, { method: "HEAD" })).status).toBe(405);
});

test("OPTIONS is 204 with Allow, for a known path and for the whole server", async () => {
  await using server = await listen();
  const response = await fetch(`${server.url}/v1/models`, { method: "OPTIONS" });
  expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  const { socket, until } = connectRaw(server.port, "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n");
  expect(await until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 204 /);
  socket.destroy();
  expect((await fetch(`${server.url}/nowhere`, { method: "OPTIONS" })).status).toBe(404);
});

test("with `cors` a web page passes its preflight and reads answers and errors", async () => {
  await using server = await listen({ cors: true });
  const asked = {
    origin: "https://app.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-tg-key",
  };
  const preflight = await fetch(`${server.url}/v1/rerank`, { method: "OPTIONS", headers: asked });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": "content-type,x-tg-key",
    "access-control-max-age": "600",
  });
  const refused = await fetch(`${server.url}/nowhere`, { headers: { origin: "https://app.example" } });
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toMatch(
    /^x-tg-event-id, x-request-id, (?:etag, )?retry-after, retry-after-ms, (?:etag, )?x-ratelimit-limit-requests, /,
  );
});

test("listed origins may, others may not, and caches are told that it depends", async () => {
  await using server = await listen({ cors: ["https://app.example"] });
  const from = async (origin: string) => (await fetch(`${server.url}/health`, { headers: { origin } })).headers;
  const listed = await from("https://app.example");
  const other = await from("https://evil.example");
  expect(listed.get("access-control-allow-origin")).toBe("https://app.example");
  expect(other.get("access-control-allow-origin")).toBeNull();
  for (const each of [listed, other]) expect(each.get("vary")).toMatch(/, origin$/);
});

test("a request target with its origin in front is understood", async () => {
  await using server = await listen();
  const target = "GET http://gateway.example/health?x=1 HTTP/1.1\r\nhost: x\r\n\r\n";
  const { socket, until } = connectRaw(server.port, target);
  expect(await until("}")).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test("requests in one connection are answered in order, each with its own event id", async () => {
  await using server = await listen();
  const bodies = ["one", "two", "three"].map((content) => ({ ...hello, messages: [{ role: "user", content }] }));
  const posts = bodies.map((body) => rawPost("/v1/chat/completions", body)).join("");
  const { socket, until } = connectRaw(server.port, posts);
  const text = await until('"content":"three"');
  socket.destroy();
  expect([...text.matchAll(/"content":"(\w+)"/g)].map(([, word]) => word)).toEqual(["one", "two", "three"]);
  expect(new Set(text.match(/x-tg-event-id: \w+/g)).size).toBe(3);
});
