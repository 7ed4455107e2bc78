import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { connectRaw, serve, type TestServer } from "../../support/server.ts";

const clock = fakeClock({ startAt: Date.UTC(2026, 10, 20) });
const engine = createEngine({ providers: [local()], store: memoryStore(), clock });
let server: TestServer;
const keys: Record<string, string | undefined> = { none: undefined, unknown: `sk-tg-${"0".repeat(43)}` };
const refusals = {
  none: [401, "virtual_key_required"],
  unknown: [401, "virtual_key_not_found"],
  inactive: [403, "virtual_key_blocked"],
  expired: [403, "virtual_key_blocked"],
} as const;

beforeAll(async () => {
  const terms = { provider_configs: [{ provider: "*", allowed_models: ["*"] }] };
  keys.good = (await engine.keys.create({ name: "good", ...terms })).value;
  keys.inactive = (await engine.keys.create({ name: "inactive", active: false, ...terms })).value;
  const expiring = { name: "expired", expires_at: new Date(clock.now() + 1_000).toISOString(), ...terms };
  keys.expired = (await engine.keys.create(expiring)).value;
  await clock.advance(2_000);
  server = await serve(createListener({ engine }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine.close();
});

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
}

const described = (await (await engine.fetch("http://engine/openapi.json")).json()) as Described;
const bodied = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) =>
    requestBody === undefined ? [] : [[method.toUpperCase(), path.replace(/\{\w+\}/g, "local%2Fecho")] as const],
  ),
);

/** The head of a request alone, and the connection that it went over. */
function sendHead([method, path]: readonly [string, string], key: string | undefined) {
  const lines = ["host: x", "content-type: application/json", "content-length: 96000"];
  if (key !== undefined) lines.push(`authorization: Bearer ${key}`);
  return connectRaw(server.port, `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
}

test("every family takes bodies", () => {
  const paths = bodied.map(([, path]) => path).join("\n");
  for (const family of ["/v1/chat", "/v1/embed", "/v1/rerank", "/v1/decisions", "/v1/responses", "/mcp"]) {
    expect(paths).toContain(family);
  }
  for (const family of ["/openai/v1/", "/anthropic/v1/", "/genai/v1beta/", "/cohere/v2/"])
    expect(paths).toContain(family);
});

describe.each(bodied)("%s %s", (...place) => {
  test.each(Object.entries(refusals))("answers a key that is %s by its head alone", async (name, [status, code]) => {
    const text = await sendHead(place, keys[name]).over;
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close`, "is"));
    expect(text).toContain(code);
  });

  test("waits for the body of a good key, and answers it", async () => {
    const { socket, received, until } = sendHead(place, keys.good);
    await sendHead(place, keys.unknown).over; // sent later, and answered
    expect(received()).toBe("");
    socket.write(`{${" ".repeat(95_998)}}`);
    expect(await until("HTTP/1.1 ")).not.toMatch(/virtual_key/);
    socket.destroy();
  });
});

test("a refusal of a known key has its row in the ledger, as any refused call has", async () => {
  const { key, value } = await engine.keys.create({ name: "off", active: false });
  await sendHead(["POST", "/v1/chat/completions"], value).over;
  const { entries } = await engine.usage.entries({ limit: 50 });
  expect(entries.filter(({ key_id }) => key_id === key.id)).toMatchObject([
    { status: 403, reason: "virtual_key_blocked", model_requested: "" },
  ]);
});
