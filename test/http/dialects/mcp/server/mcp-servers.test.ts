import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { say, startMcpServer, type TestTool } from "../../../../fixtures/mcp/http-server.ts";
import { serve } from "../../../support/server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const hang: TestTool = (_provided, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

const tools: Record<string, TestTool> = {
  add: ({ a, b }) => say(String(Number(a) + Number(b))),
  fail: () => ({ ...say("no such file"), isError: true }),
  hang,
  async slowly(_provided, { progress }) {
    await progress(1);
    await progress(2);
    return say("done");
  },
};

/** Another server behind a gateway over a socket, and the official client at it with a key. */
async function open(allowed_tools: string[], more: object = {}) {
  const other = await startMcpServer(tools);
  const mcp = { servers: { calc: { url: other.url, price: 0.5 } } };
  const engine = createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], store: memoryStore(), mcp });
  const server = await serve(createListener({ engine }));
  const { value } = await engine.keys.create({
    name: "k",
    mcp_configs: [{ server: "calc", allowed_tools }],
    ...more,
  } as never);
  const connect = async () => {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${value}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }) as never);
    opened.push(() => client.close());
    return client;
  };
  opened.push(
    async () => {
      await other[Symbol.asyncDispose]();
    },
    () => engine.close({ graceMs: 0 }),
    async () => {
      await server[Symbol.asyncDispose]();
    },
  );
  return { engine, other, server, client: await connect(), connect };
}

describe("the official client at a gateway with another server behind it", () => {
  it("lists the verbs and the tools of its key, and calls one; the answer says what it cost", async () => {
    const { client } = await open(["add", "fail"]);
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      ...["chat", "embed", "rerank", "decide", "models"],
      ...["calc__add", "calc__fail"],
    ]);
    expect(await client.callTool({ name: "calc__add", arguments: { a: 1, b: 2 } })).toEqual({
      ...say("3"),
      _meta: { "tollgate/cost": { total_cost: 0.5, request_cost: 0.5 } },
    });
    expect(await client.callTool({ name: "calc__fail" })).toMatchObject({
      isError: true,
      content: [{ text: "no such file" }],
    });
  });

  it("is told of no tool that the key may not call, by the same words as of one that is not there", async () => {
    const { client, other } = await open(["add"]);
    const messageOf = (name: string) =>
      client.callTool({ name }).catch((error) => String(error.message).replace(name, "X"));
    expect(await messageOf("calc__hang")).toBe(await messageOf("calc__none"));
    expect(await messageOf("calc__hang")).toBe(await messageOf("none__none"));
    expect(await messageOf("calc__hang")).toMatch(/-32602.*There is no tool/);
    expect(other.called).toEqual([]);
  });

  it("reads the refusal of a spent budget as the tool's answer", async () => {
    const { client } = await open(["add"], {
      budgets: [{ max_limit: 0.6, reset_duration: "1M", enforcement: "hard" }],
    });
    await client.callTool({ name: "calc__add", arguments: { a: 1, b: 2 } });
    const refused = await client.callTool({ name: "calc__add", arguments: { a: 1, b: 2 } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("budget_exceeded");
  });

  it("hears of progress", async () => {
    const { client } = await open(["*"]);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    expect(await client.callTool({ name: "calc__slowly" }, undefined, { onprogress })).toMatchObject(say("done"));
    expect(seen).toEqual([1, 2]);
  });

  it.each([true, false])(
    "cancels its own call and no other client's of the same key (with progress: %s)",
    async (asks) => {
      const { client, connect, engine, other } = await open(["*"]);
      const second = await connect();
      const giveUp = [new AbortController(), new AbortController()] as const;
      const options = (at: 0 | 1) => ({ signal: giveUp[at].signal, ...(asks ? { onprogress: () => {} } : {}) });
      const calls = [
        client.callTool({ name: "calc__hang" }, undefined, options(0)),
        second.callTool({ name: "calc__hang" }, undefined, options(1)),
      ].map((call) => call.catch(() => "ended"));
      while (other.called.length < 2) await new Promise((resolve) => setImmediate(resolve));
      giveUp[0].abort();
      while (engine.inFlight > 1) await new Promise((resolve) => setImmediate(resolve));
      expect(await Promise.race([calls[1], new Promise((resolve) => setImmediate(() => resolve("waits")))])).toBe(
        "waits",
      );
      giveUp[1].abort();
      while (engine.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(await Promise.all(calls)).toEqual(["ended", "ended"]);
    },
  );

  it("cannot cancel the call of another key, though it knows its session and id", async () => {
    const { client, engine, other, server } = await open(["*"]);
    const stranger = await engine.keys.create({ name: "s" });
    const { sessionId } = client.transport as unknown as { sessionId: string };
    const giveUp = new AbortController();
    const call = client.callTool({ name: "calc__hang" }, undefined, { signal: giveUp.signal }).catch(() => "ended");
    while (other.called.length < 1) await new Promise((resolve) => setImmediate(resolve));
    for (let requestId = 0; requestId < 10; requestId++)
      await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${stranger.value}`,
          "content-type": "application/json",
          "mcp-session-id": sessionId,
        },
        body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
      });
    expect(engine.inFlight).toBe(1);
    giveUp.abort();
    expect(await call).toBe("ended");
  });

  it("hears that the list changed", async () => {
    const { client, other, engine } = await open(["*"]);
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    await client.listTools();
    const upstream = new Promise<void>((resolve) => void engine.mcp.onToolsChanged(resolve));
    // Both streams are opened in the background: the change is made until it is heard.
    const change = setInterval(() => void other.change({ other: () => say("x") }), 50);
    await Promise.all([upstream, heard]);
    clearInterval(change);
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name).filter((name) => name.startsWith("calc"))).toEqual(["calc__other"]);
  });

  it("pages through more tools than one answer holds", async () => {
    const { client, other } = await open(["*"]);
    await client.listTools();
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`t${at}`, () => say("x")]));
    await other.change(many);
    const names = new Set<string>();
    let pages = 0;
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      for (const { name } of page.tools) names.add(name);
      cursor = page.nextCursor;
      pages++;
      if (names.size < 10) isFirst = true; // the change has not come through yet
    }
    expect(names.size).toBeGreaterThanOrEqual(605);
    expect(pages).toBeGreaterThanOrEqual(3);
  });
});
