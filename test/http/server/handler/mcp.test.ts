import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine, createListener, type Engine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";
import { belief, near } from "../../../engine/support/case.ts";
import { byToken, usageOf } from "../../../engine/support/judges.ts";
import { post, serve } from "../../support/server.ts";

const { chat: judge } = byToken("a", belief) as Required<Provider>;

/** Says what it was told, embeds to one number, ranks by length, has two models. */
const provider: Provider = {
  name: "a",
  async chat(request, call) {
    if (request.logprobs) return judge(request, call);
    if (call.model === "slow") await new Promise((_resolve, reject) => call.signal.addEventListener("abort", reject));
    const message = { role: "assistant" as const, content: `you said ${request.messages.at(-1)?.content}` };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id: call.id, object: "chat.completion", created: 1, model: call.model, usage: usageOf(3, 4), choices };
  },
  async embed({ input }, { model }) {
    const data = [input]
      .flat()
      .map((text, index) => ({ index, object: "embedding", embedding: [String(text).length] }));
    return { object: "list", model, data, usage: usageOf(2, 0) };
  },
  async rerank({ documents }, { model }) {
    const results = documents.map(({ text }, index) => ({ index, relevance_score: text.length }));
    return { model, results: results.sort((one, other) => other.relevance_score - one.relevance_score) };
  },
  listModels: async () => [{ id: "small" }, { id: "large" }],
};

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** A client of the protocol at the engine: over a socket, or without one. */
async function clientOf(engine: Engine, way: "socket" | "process", key?: string): Promise<Client> {
  const server = way === "socket" ? await serve(createListener({ engine })) : undefined;
  if (server) opened.push({ close: async () => server[Symbol.asyncDispose]() });
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${server?.url ?? "http://engine"}/mcp`), {
    ...(server ? {} : { fetch: engine.fetch as typeof fetch }),
    requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as never);
  opened.push(client);
  return client;
}

function engineOf(options: Partial<Parameters<typeof createEngine>[0]> = {}): Engine {
  return createEngine({ ...scriptedWorld(), providers: [provider], ...options });
}

const messages = [{ role: "user", content: "hello" }];

/** The error that an answer holds for the model to read; it has no structured content, which clients would check as a good answer's. */
function errorIn(answer: object): unknown {
  const { isError, structuredContent, content } = answer as CallToolResult;
  expect([isError, structuredContent]).toEqual([true, undefined]);
  const [first] = content;
  return JSON.parse(first?.type === "text" ? first.text : "");
}

describe.each(["socket", "process"] as const)("the SDK's own client, by %s", (way) => {
  it("finds the verbs as tools whose arguments are described", async () => {
    const { tools } = await (await clientOf(engineOf(), way)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["chat", "embed", "rerank", "decide", "models"]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: true });
      for (const either of ["anyOf", "oneOf", "allOf"]) expect(inputSchema).not.toHaveProperty(either); // a 400 at Anthropic
      expect(description).toMatch(/\w/);
    }
    expect(tools[0]?.inputSchema.required).toEqual(["model", "messages"]);
    expect(tools[0]?.inputSchema.properties).not.toHaveProperty("stream");
  });

  it("calls each of them", async () => {
    const client = await clientOf(engineOf(), way);
    await client.listTools(); // from now on the client checks answers against the tools' output schemas
    const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
    expect(await call("chat", { model: "a/m", messages })).toMatchObject({
      content: [{ type: "text", text: "you said hello" }],
      structuredContent: {
        usage: { total_tokens: 7, cost: { total_cost: 0.000_011 } },
        extra_fields: { provider: "a" },
      },
    });
    expect(await call("embed", { model: "a/m", input: ["one", "three"] })).toMatchObject({
      structuredContent: { data: [{ embedding: [3] }, { embedding: [5] }] },
    });
    const documents = [{ text: "short" }, { text: "much longer" }];
    expect(await call("rerank", { model: "a/m", query: "q", documents })).toMatchObject({
      structuredContent: { results: [{ index: 1 }, { index: 0 }] },
    });
    expect(await call("decide", { model: "a/m", questions: { refund: { kind: "noul" } } })).toMatchObject({
      structuredContent: { answers: { refund: { kind: "noul", value: near(0.9) } } },
    });
    expect(await call("models", {})).toMatchObject({
      structuredContent: { data: [{ id: "a/large" }, { id: "a/small" }] },
    });
  });

  it("is told of a failure by an answer that says so", async () => {
    const client = await clientOf(engineOf(), way);
    await client.listTools(); // from now on the client checks answers against the tools' output schemas
    const missing = await client.callTool({ name: "chat", arguments: { model: "b/m", messages } });
    expect(errorIn(missing)).toMatchObject({ type: "provider_not_found", status_code: 404, is_gateway_error: true });
    const bad = await client.callTool({ name: "chat", arguments: { model: "a/m" } });
    expect(errorIn(bad)).toMatchObject({ type: "invalid_request", error: { param: "messages" } });
    await expect(client.callTool({ name: "toString", arguments: {} })).rejects.toThrow("There is no tool");
  });
});

describe("a virtual key", () => {
  async function governed() {
    const engine = engineOf({ store: memoryStore() });
    const make = (allowed: string[], more: object = {}) =>
      engine.keys.create({
        name: allowed.join(),
        provider_configs: [{ provider: "a", allowed_models: allowed }],
        ...more,
      });
    return { engine, make };
  }

  it("is required, known and active before the protocol begins", async () => {
    const { engine, make } = await governed();
    await expect(clientOf(engine, "socket")).rejects.toThrow(/virtual_key_required/);
    await expect(clientOf(engine, "socket", "sk-tg-nobody")).rejects.toThrow(/virtual_key_not_found/);
    const { value } = await make(["*"], { active: false });
    await expect(clientOf(engine, "socket", value)).rejects.toThrow(/virtual_key_blocked/);
  });

  it("allows what it allows, and what is called is on its bill", async () => {
    const { engine, make } = await governed();
    const { key, value } = await make(["small"]);
    const client = await clientOf(engine, "socket", value);
    const chat = (model: string) => client.callTool({ name: "chat", arguments: { model, messages } });
    expect(errorIn(await chat("a/large"))).toMatchObject({ type: "model_blocked" });
    expect(await chat("a/small")).toMatchObject({ content: [{ text: "you said hello" }] });
    expect(await client.callTool({ name: "models" })).toMatchObject({
      structuredContent: { data: [{ id: "a/small" }] },
    });
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries.filter(({ key_id, status }) => key_id === key.id && status === 200)).not.toEqual([]);
  });
});

it("a client that gives up ends the provider's work", async () => {
  const engine = engineOf();
  const client = await clientOf(engine, "socket");
  const giveUp = new AbortController();
  const called = client.callTool({ name: "chat", arguments: { model: "a/slow", messages } }, undefined, {
    signal: giveUp.signal,
  });
  while (engine.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  giveUp.abort();
  await expect(called).rejects.toThrow();
  await client.close();
  while (engine.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
});

it("other methods are refused, and what is no message is told in the protocol's way", async () => {
  await using server = await serve(createListener({ engine: engineOf() }));
  const put = await fetch(`${server.url}/mcp`, { method: "PUT" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "POST, GET, HEAD, OPTIONS"]);
  const broken = await post(`${server.url}/mcp`, { hello: 1 });
  expect([broken.status, await broken.json()]).toMatchObject([400, { jsonrpc: "2.0", error: { code: -32700 } }]);
});
