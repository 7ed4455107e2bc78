import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import { type CoreListenerOptions, createListener } from "../../../src/http/server/node.ts";
import { echo, engineDouble, hello } from "../support/engine-double.ts";
import { connectRaw, post, serve, stillClock } from "../support/server.ts";

const path = "/v1/chat/completions";
const listen = (options: Partial<CoreListenerOptions> = {}) =>
  serve(createListener({ engine: engineDouble({ chat: echo }), clock: stillClock, ...options }));
const refusing = () => {
  throw new GatewayError("virtual_key_not_found", "The virtual key is unknown.");
};

test.each([
  path,
  "/v1/embeddings",
  "/v1/rerank",
  "/v1/decisions",
  "/v1/responses",
  "/openai/v1/chat/completions",
  "/anthropic/v1/messages",
  "/anthropic/v1/messages/count_tokens",
  "/genai/v1beta/models/a%2Fm:generateContent",
  "/genai/v1beta/models/a%2Fm:embedContent",
  "/cohere/v2/chat",
  "/cohere/v2/embed",
  "/cohere/v2/rerank",
  "/mcp",
])("an unknown key is answered before its body at %s, and the connection closes", async (family) => {
  await using server = await listen({ engine: engineDouble({ chat: echo, admit: refusing }) });
  const lines = ["host: x", "x-tg-key: sk-tg-none", "content-type: application/json", "content-length: 96000"];
  const { over } = connectRaw(server.port, `POST ${family} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  expect(await over).toMatch(/^HTTP\/1\.1 401 .*connection: close/s);
});

test.each([
  ["a body that unpacks to more than the ratio", { unpackRatio: 2 }, `${" ".repeat(2_000_000)}{}`, 413, "unpackRatio"],
  ["a body of more values", { values: 3 }, '{"a":[1,2]}', 413, "values"],
  ["a body of deeper levels", { depth: 2 }, '{"a":[[]]}', 400, "depth"],
  ["a repeated field", {}, '{"model":"a/m","x":[{"a":1,"a":2}]}', 400, "x.0.a"],
])("%s is refused by name", async (...[, bodyBounds, text, status, name]) => {
  await using server = await listen({ bodyBounds });
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const response = await fetch(server.url + path, { method: "POST", headers, body: gzipSync(text) });
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(`\`${name}\``)]);
});

test("a body exactly at the bounds passes", async () => {
  await using server = await listen({ bodyBounds: { values: 6, depth: 3 } });
  expect((await post(server.url + path, JSON.stringify(hello))).status).toBe(200);
});

test("two hosts are 400", async () => {
  await using server = await listen();
  const { over } = connectRaw(server.port, "GET /health HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n");
  expect(await over).toMatch(/^HTTP\/1\.1 400 .*there twice/s);
});
