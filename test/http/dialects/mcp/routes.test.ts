import { expect, test } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { dialectRows } from "../../../../src/http/dialects/rows.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { readBroken } from "../../support/broken-body.ts";
import { chunkOf, echo, engineDouble } from "../../support/engine-double.ts";

const json = { "content-type": "application/json" };

function post(engine: ReturnType<typeof engineDouble>, path: string, body: unknown): Promise<Response> {
  return createFetch(engine)(`http://engine${path}`, { method: "POST", headers: json, body: JSON.stringify(body) });
}

const contents = [{ parts: [{ text: "hello" }] }];

test.each([
  ["/genai/v1beta/models/double/m:generateContent", "double/m"],
  ["/genai/v1/models/double/m:generateContent", "double/m"],
  ["/genai/v1beta/models/double%2Fm:generateContent", "double/m"],
  ["/genai/v1beta/models/double/m%3AgenerateContent", "double/m"],
  ["/genai/v1beta/models/router/maker/m:generateContent", "router/maker/m"],
  ["/genai/v1beta/models/ollama/llama3:8b:generateContent", "ollama/llama3:8b"],
  ["/genai/v1beta/models/double/gr%C3%BC%C3%9Fe:generateContent", "double/grüße"],
])("%s names the model %s", async (path, model) => {
  const engine = engineDouble({ chat: echo });
  expect((await post(engine, path, { contents })).status).toBe(200);
  expect(engine.asked[0]?.request).toMatchObject({ model });
});

test("a path that is broken or unknown is told in the dialect of its family", async () => {
  const engine = engineDouble();
  const broken = await post(engine, "/genai/v1beta/models/%E0%A4%A:generateContent", { contents });
  expect([broken.status, await broken.json()]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
  const unknown = await post(engine, "/genai/v1beta/nothing", {});
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 404, status: "NOT_FOUND" } }]);
  const missing = await post(engine, "/anthropic/v1/nothing", {});
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { type: "error", error: { type: "not_found_error" } },
  ]);
  expect(missing.headers.get("request-id")).toBe(missing.headers.get("x-tg-event-id"));
  const other = await createFetch(engine)("http://engine/cohere/v2/chat");
  expect([other.status, await other.json()]).toMatchObject([405, { code: "method_not_allowed", id: "evt_4" }]);
  expect(other.headers.get("allow")).toBe("POST, OPTIONS");
});

test("a body that is no JSON, or none at all, is told in the dialect of its family", async () => {
  const fetch = createFetch(engineDouble());
  const init = { method: "POST", headers: json, body: "{" };
  expect(await (await fetch("http://engine/anthropic/v1/messages", init)).json()).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error" },
  });
  const media = await fetch("http://engine/cohere/v2/chat", {
    method: "POST",
    body: "x",
    headers: { "content-type": "text/plain" },
  });
  expect([media.status, await media.json()]).toMatchObject([415, { code: "unsupported_media_type" }]);
});

test("without alt=sse a stream of the Gemini API is one JSON list, bridged by white space", async () => {
  const streamChat = async () =>
    (async function* () {
      yield chunkOf("a");
      yield chunkOf("b", 1, "stop");
    })();
  const response = await post(engineDouble({ streamChat }), "/genai/v1beta/models/double/m:streamGenerateContent", {
    contents,
  });
  expect(response.headers.get("content-type")).toBe("application/json");
  const pieces = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
  const texts = pieces.map(({ candidates }) => candidates[0]?.content.parts.map(({ text }) => text).join(""));
  expect(texts.join("")).toBe("ab");
});

test("a list that breaks off holds the error and stays open: no reader takes it for whole", async () => {
  const streamChat = async () =>
    (async function* () {
      yield chunkOf("a");
      throw new GatewayError("upstream_stream_broken", "Cut.");
    })();
  const response = await post(engineDouble({ streamChat }), "/genai/v1beta/models/double/m:streamGenerateContent", {
    contents,
  });
  const text = await readBroken(response);
  expect(text).toContain('"message":"Cut."');
  expect(() => JSON.parse(text)).toThrow();
  expect(JSON.parse(`${text}]`)).toHaveLength(2);
});

test("the engine's list of models is told in each dialect", async () => {
  const models = async () => ({
    data: [
      { id: "a/m", name: "M", created: 86_400, context_length: 100, max_output_tokens: 10 },
      { id: "b/n", created: 8.64e15, supported_methods: ["embedContent"] },
    ],
  });
  const fetch = createFetch(engineDouble({ models }));
  const read = async (path: string) => (await fetch(`http://engine${path}`)).json();
  expect(await read("/openai/v1/models")).toEqual({
    object: "list",
    data: [
      { id: "a/m", object: "model", created: 86_400, owned_by: "a" },
      { id: "b/n", object: "model", created: 8.64e15, owned_by: "b" },
    ],
  });
  expect(await read("/anthropic/v1/models")).toMatchObject({
    data: [
      {
        type: "model",
        id: "a/m",
        display_name: "M",
        created_at: "1970-01-02T00:00:00.000Z",
        max_input_tokens: 100,
        max_tokens: 10,
      },
      { type: "model", id: "b/n", display_name: "b/n", created_at: "1970-01-01T00:00:00.000Z" },
    ],
    has_more: false,
    first_id: "a/m",
    last_id: "b/n",
  });
  expect(await read("/genai/v1beta/models")).toMatchObject({
    models: [
      {
        name: "models/a/m",
        displayName: "M",
        inputTokenLimit: 100,
        outputTokenLimit: 10,
        supportedGenerationMethods: ["generateContent"],
      },
      { name: "models/b/n", supportedGenerationMethods: ["embedContent"] },
    ],
  });
  expect(await read("/openai/v1/models/a/m")).toMatchObject({ id: "a/m" });
  expect(await read("/anthropic/v1/models/a%2Fm")).toMatchObject({ id: "a/m" });
  expect(await read("/genai/v1beta/models/a/m")).toMatchObject({ name: "models/a/m" });
  const missing = await fetch("http://engine/openai/v1/models/a/x");
  expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: "not_found", param: "model" } }]);
});

test("Anthropic's pages go forwards from after_id and backwards from before_id", async () => {
  const ids = ["a/1", "a/2", "a/3", "a/4", "a/5"];
  const fetch = createFetch(engineDouble({ models: async () => ({ data: ids.map((id) => ({ id })) }) }));
  const read = async (query: string) => {
    const page = (await (await fetch(`http://engine/anthropic/v1/models?${query}`)).json()) as {
      data: { id: string }[];
    };
    return { ...page, data: page.data?.map(({ id }) => id) };
  };
  expect(await read("limit=2")).toMatchObject({ data: ["a/1", "a/2"], has_more: true, last_id: "a/2" });
  expect(await read("limit=2&after_id=a/2")).toMatchObject({ data: ["a/3", "a/4"], has_more: true });
  expect(await read("limit=2&after_id=a/4")).toMatchObject({ data: ["a/5"], has_more: false });
  expect(await read("limit=2&before_id=a/4")).toMatchObject({ data: ["a/2", "a/3"], has_more: true });
  expect(await read("limit=2&before_id=a/2")).toMatchObject({ data: ["a/1"], has_more: false });
  expect(await read("after_id=a/9")).toMatchObject({ error: { details: { param: "after_id" } } });
  expect(await read("limit=0")).toMatchObject({ error: { details: { param: "limit" } } });
});

test("a page token of the Gemini API that is stale is told under the vendor's name", async () => {
  const refused = new GatewayError("invalid_request", "`page_token` is stale.", { param: "page_token" });
  const engine = engineDouble({ models: () => Promise.reject(refused) });
  const body = await (await createFetch(engine)("http://engine/genai/v1beta/models?pageSize=3&pageToken=x")).text();
  expect(engine.asked[0]?.request).toEqual({ page_size: 3, page_token: "x" });
  expect(body).toContain('"field":"pageToken"');
  expect(body).toContain("`pageToken` is stale.");
});

/** Asks every row of every family with an empty body. */
async function askAll(engine: ReturnType<typeof engineDouble>): Promise<Response[]> {
  const fetch = createFetch(engine);
  return Promise.all(
    Object.values(dialectRows).map(({ method, path }) => {
      const url = `http://engine${path.replace(/\{id\}/, "resp_double").replace(/\{\+?[a-z]+\}/, "double/m")}`;
      return fetch(url, method === "GET" ? {} : { method, headers: json, body: "{}" });
    }),
  );
}

test("every row of a family is answered", async () => {
  for (const response of await askAll(engineDouble())) {
    expect(response.status, await response.text()).toBe(400);
  }
});

test("there is no side door: where a key is required, no row of a family is answered without one", async () => {
  const engine = Object.assign(engineDouble(), { hasKeys: true });
  for (const response of await askAll(engine)) {
    const text = await response.text();
    expect([response.status, text]).toEqual([401, expect.stringContaining("virtual_key_required")]);
  }
  expect(engine.asked).toEqual([]);
});

test("health is 503 while the engine drains", async () => {
  const engine = engineDouble();
  const fetch = createFetch(engine);
  expect((await fetch("http://engine/health")).status).toBe(200);
  Object.assign(engine, { isLeaving: true });
  const response = await fetch("http://engine/health");
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({ type: "shutting_down" });
});
