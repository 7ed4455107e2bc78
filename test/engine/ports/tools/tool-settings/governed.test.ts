import { afterEach, describe, expect, it } from "vitest";
import { memoryCache } from "../../../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { ToolServerSettings } from "../../../../../src/engine/ports/tools/tool-settings.ts";
import { createEngine, type Engine, isGatewayError } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { say, startMcpServer, type TestTool } from "../../../../fixtures/mcp/http-server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const never: TestTool = (_provided, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

const tools: Record<string, TestTool> = {
  add: ({ a, b }) => ({ ...say(String(Number(a) + Number(b))), structuredContent: { sum: Number(a) + Number(b) } }),
  delete_all: () => say("gone"),
  fail: () => ({ ...say("no such file"), isError: true }),
  hang: never,
  async slowly(_provided, { progress }) {
    await progress(1);
    await progress(2);
    return say("done");
  },
  "päth/with dots.and so on": () => say("odd name"),
};

async function open(settings: Partial<ToolServerSettings> = {}) {
  const server = await startMcpServer(tools);
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [{ name: "a" }],
    store: memoryStore(),
    requireKey: false,
    mcp: { servers: { calc: { url: server.url, price: { add: 0.25, "*": 0.01 }, ...settings } } },
  });
  opened.push(
    async () => {
      await server[Symbol.asyncDispose]();
    },
    () => engine.close({ graceMs: 0 }),
  );
  return { engine, server };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "served",
    (thrown) => (isGatewayError(thrown) ? thrown.code : String(thrown)),
  );

/** A key that may call so much of `calc`. */
async function keyFor(engine: Engine, allowed_tools: string[], more: object = {}) {
  const { value } = await engine.keys.create({
    name: "k",
    mcp_configs: [{ server: "calc", allowed_tools, ...more }],
  } as never);
  return value;
}

describe("tools of an MCP server", () => {
  it("are listed for the trusted caller under public names, and called by them", async () => {
    const { engine, server } = await open();
    const { tools: listed, unavailable } = await engine.mcp.tools();
    expect(unavailable).toEqual([]);
    expect(listed.map(({ name }) => name)).toEqual([
      "calc__add",
      "calc__delete_all",
      "calc__fail",
      "calc__hang",
      expect.stringMatching(/^calc__p_th_with_dots_and_so_on_[0-9a-f]{8}$/),
      "calc__slowly",
    ]);
    const odd = listed.find(({ tool }) => tool.startsWith("pä"))?.name ?? "";
    expect(await engine.mcp.call({ name: odd })).toMatchObject(say("odd name"));
    expect(await engine.mcp.call({ name: "calc__add", arguments: { a: 2, b: 3 } })).toMatchObject({
      structuredContent: { sum: 5 },
      usage: { cost: { total_cost: 0.25, request_cost: 0.25 } },
      extra_fields: { request_type: "tool_call", provider: "mcp.calc" },
    });
    expect(server.called).toEqual([expect.stringMatching(/^pä/), "add"]);
  });

  it("are none for a key without `mcp_configs`, and those of its patterns for another", async () => {
    const { engine, server } = await open();
    const none = (
      await engine.keys.create({ name: "none", provider_configs: [{ provider: "*", allowed_models: ["*"] }] } as never)
    ).value;
    expect(await engine.mcp.tools({ key: none })).toEqual({ tools: [], unavailable: [] });
    expect(await codeOf(engine.mcp.call({ name: "calc__add" }, { key: none }))).toBe("model_blocked");
    const key = await keyFor(engine, ["*"], { blocked_tools: ["delete_*"] });
    const { tools: listed } = await engine.mcp.tools({ key });
    expect(listed.map(({ name }) => name)).not.toContain("calc__delete_all");
    expect(await codeOf(engine.mcp.call({ name: "calc__delete_all" }, { key }))).toBe("model_blocked");
    expect(await codeOf(engine.mcp.call({ name: "calc__nothing" }, { key }))).toBe("model_blocked");
    expect(await codeOf(engine.mcp.call({ name: "other__add" }, { key }))).toBe("model_blocked");
    expect(server.called).toEqual([]);
  });

  it("are narrowed by the project and the customer of the key", async () => {
    const { engine } = await open();
    const customer = await engine.customers.create({
      name: "c",
      mcp_configs: [{ server: "*", allowed_tools: ["add", "fail"] }],
    } as never);
    const project = await engine.projects.create({
      name: "p",
      customer_id: customer.id,
      mcp_configs: [{ server: "calc", allowed_tools: ["a*", "hang"] }],
    } as never);
    const { value: key } = await engine.keys.create({
      name: "k",
      project_id: project.id,
      mcp_configs: [{ server: "*", allowed_tools: ["*"] }],
    } as never);
    expect((await engine.mcp.tools({ key })).tools.map(({ name }) => name)).toEqual(["calc__add"]);
  });

  it("are charged to the budget of the key, and refused when it is spent; the ledger has each call", async () => {
    const { engine } = await open();
    const budgets = [{ max_limit: 0.6, reset_duration: "1M", enforcement: "hard" }];
    const { value: key, key: made } = await engine.keys.create({
      name: "k",
      budgets,
      mcp_configs: [{ server: "calc", allowed_tools: ["add"] }],
    } as never);
    const calls = Array.from({ length: 8 }, () => codeOf(engine.mcp.call({ name: "calc__add" }, { key })));
    expect((await Promise.all(calls)).sort()).toEqual([...Array(6).fill("budget_exceeded"), "served", "served"]);
    const { entries } = await engine.usage.entries({ filters: { key_id: made.id }, limit: 100 } as never);
    const served = entries.filter(({ status }) => status === 200);
    expect(served).toMatchObject(
      Array(2).fill({
        request_type: "tool_call",
        model_requested: "calc__add",
        attempts: [{ provider: "mcp.calc", model: "mcp.calc/add", cost: 0.25 }],
      }),
    );
    expect(entries.length).toBe(8);
  });

  it("have limits of their own in an entry", async () => {
    const { engine } = await open();
    const rate_limits = [{ request_max_limit: 1, request_reset_duration: "1h" }];
    const key = await keyFor(engine, ["add", "fail"], { rate_limits });
    expect(await codeOf(engine.mcp.call({ name: "calc__add" }, { key }))).toBe("served");
    expect(await codeOf(engine.mcp.call({ name: "calc__fail" }, { key }))).toBe("request_limited");
  });

  it("report progress, and their own failure is an answer", async () => {
    const { engine } = await open();
    const seen: number[] = [];
    await engine.mcp.call({ name: "calc__slowly" }, { onProgress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2]);
    expect(await engine.mcp.call({ name: "calc__fail" })).toMatchObject({
      isError: true,
      content: [{ text: "no such file" }],
    });
  });

  it("end at their deadline", async () => {
    const { engine } = await open({ timeoutMs: 200 });
    expect(await codeOf(engine.mcp.call({ name: "calc__hang" }))).toBe("upstream_timeout");
    expect(engine.inFlight).toBe(0);
  });

  it("end with their caller", async () => {
    const { engine, server } = await open();
    const giveUp = new AbortController();
    const called = codeOf(engine.mcp.call({ name: "calc__hang" }, { signal: giveUp.signal }));
    while (server.called.length < 1) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort();
    expect(await called).toBe("request_cancelled");
    expect(engine.inFlight).toBe(0);
  });

  it("are read anew when the server says that they changed, or has forgotten its session", async () => {
    const { engine, server } = await open();
    const changed = new Promise<void>((resolve) => void engine.mcp.onToolsChanged(resolve));
    await engine.mcp.tools();
    server.forget();
    expect(await engine.mcp.call({ name: "calc__add", arguments: { a: 1, b: 1 } })).toMatchObject(say("2"));
    await changed; // the connection was made anew
    await engine.mcp.tools();
    const again = new Promise<void>((resolve) => void engine.mcp.onToolsChanged(resolve));
    // The client opens the stream of notifications in the background: the change is made until it is heard.
    const change = setInterval(() => void server.change({ other: () => say("new") }), 50);
    await again;
    clearInterval(change);
    expect((await engine.mcp.tools()).tools.map(({ name }) => name)).toEqual(["calc__other"]);
  });

  it("of servers that cannot be reached are missing, and the server is named", async () => {
    const { engine } = await open({ url: "http://127.0.0.1:9/mcp" });
    expect(await engine.mcp.tools()).toEqual({
      tools: [],
      unavailable: [{ server: "calc", message: "The MCP server `calc` cannot be reached." }],
    });
    expect(await codeOf(engine.mcp.call({ name: "calc__add" }))).toBe("upstream_unreachable");
  });

  it("are never cached, hedged or asked twice", async () => {
    const { engine, server } = await open();
    engine.reconfigure({
      providers: [{ name: "a" }],
      hedge: { after_ms: 1 },
      cache: { answers: memoryCache() },
      mcp: { servers: { calc: { url: server.url } } },
    } as never);
    await engine.mcp.call({ name: "calc__fail" });
    await engine.mcp.call({ name: "calc__fail" });
    expect(server.called).toEqual(["fail", "fail"]);
  });
});

describe("the settings of a server", () => {
  it.each<[ToolServerSettings, string]>([
    [{}, "mcp.servers.x.url"],
    [{ url: "ftp://host" }, "mcp.servers.x.url"],
    [{ url: "http://host", command: "node" }, "mcp.servers.x.url"],
    [{ url: "http://host", env: {} }, "mcp.servers.x.env"],
    [{ command: "node", headers: {} }, "mcp.servers.x.headers"],
    [{ url: "http://host", headers: { "a b": "c" } }, "mcp.servers.x.headers"],
    [{ url: "http://host", price: -1 }, "mcp.servers.x.price"],
    [{ url: "http://host", timeout: 5 } as never, "mcp.servers.x.timeout"],
  ])("%j is refused by the field", (settings, param) => {
    const open = () =>
      createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], mcp: { servers: { x: settings } } });
    expect(open).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
  });

  it("have names that can stand before `__`", () => {
    for (const name of ["a__b", "A", "", "a_", "mcp.a"]) {
      const servers = { [name]: { url: "http://host" } };
      const open = () => createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], mcp: { servers } });
      expect(open).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
    }
  });
});
