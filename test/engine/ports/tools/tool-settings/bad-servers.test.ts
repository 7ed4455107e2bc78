import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ToolServerSettings } from "../../../../../src/engine/ports/tools/tool-settings.ts";
import { createEngine, isGatewayError } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { say, startMcpServer } from "../../../../fixtures/mcp/http-server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const program = new URL("../../../../fixtures/mcp/stdio-server.mjs", import.meta.url).pathname;

function open(servers: Record<string, ToolServerSettings>) {
  const engine = createEngine({ ...scriptedWorld(), providers: [{ name: "a" }], mcp: { servers } });
  opened.push(() => engine.close({ graceMs: 0 }));
  return engine;
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "served",
    (thrown) => (isGatewayError(thrown) ? thrown.code : String(thrown)),
  );

describe("a server in a process of its own", () => {
  const settings = { command: process.execPath, args: [program], env: { OWN: "1" }, timeoutMs: 20_000 };

  it("gets none of the gateway's environment but what every program needs", async () => {
    process.env.SECRET_OF_THE_GATEWAY = "x";
    const engine = open({ odd: settings });
    const { content } = await engine.mcp.call({ name: "odd__environment" });
    const names = String(content[0]?.text).split(" ");
    delete process.env.SECRET_OF_THE_GATEWAY;
    expect(names).toContain("OWN");
    expect(names).not.toContain("SECRET_OF_THE_GATEWAY");
  });

  it("is started anew after it died; the call that killed it fails at once", async () => {
    const engine = open({ odd: settings });
    expect(await codeOf(engine.mcp.call({ name: "odd__die" }))).toBe("upstream_unreachable");
    expect(await engine.mcp.call({ name: "odd__echo", arguments: { text: "back" } })).toMatchObject(say("back"));
  });

  it("may write what is no message, and answers all the same", async () => {
    const engine = open({ odd: settings });
    expect(await engine.mcp.call({ name: "odd__garbage" })).toMatchObject(say("after the garbage"));
  });

  it("that floods is cut off at the bound, and its caller told", async () => {
    const engine = open({ odd: { ...settings, maxBytes: 100_000 } });
    expect(await codeOf(engine.mcp.call({ name: "odd__huge" }))).toBe("upstream_unreachable");
    expect(await engine.mcp.call({ name: "odd__echo", arguments: { text: "on" } })).toMatchObject(say("on"));
  });

  it("that hangs holds up nobody else, and no longer than its time", async () => {
    const fine = await startMcpServer({ echo: () => say("fine") });
    opened.push(async () => fine[Symbol.asyncDispose]());
    const engine = open({ odd: { ...settings, timeoutMs: 300 }, fine: { url: fine.url } });
    await engine.mcp.tools();
    const hung = codeOf(engine.mcp.call({ name: "odd__hang" }));
    expect(await engine.mcp.call({ name: "fine__echo" })).toMatchObject(say("fine"));
    expect(await hung).toBe("upstream_timeout");
  });

  it("that cannot be started is named, and is not tried again at once", async () => {
    const engine = open({ odd: { command: "/there/is/no/such/program" } });
    expect(await codeOf(engine.mcp.call({ name: "odd__echo" }))).toBe("upstream_unreachable");
    const error = await engine.mcp.call({ name: "odd__echo" }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "upstream_unreachable", message: "The MCP server `odd` cannot be reached." });
    expect(error.retryAfterMs).toBeGreaterThan(0);
  });
});

/** A server over HTTP that answers each request to its `tools/call` in its own way. */
async function openHttp(misbehave: (response: import("node:http").ServerResponse, id: unknown) => void) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    if (text === "") return response.writeHead(405).end();
    const { id, method } = JSON.parse(text);
    const json = (result: object) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    const about = {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "x", version: "1" },
    };
    if (method === "initialize") return json(about);
    if (method === "tools/list") return json({ tools: [{ name: "act", inputSchema: { type: "object" } }] });
    if (method === "tools/call") return misbehave(response, id);
    return response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return open({ x: { url: `http://127.0.0.1:${port}/mcp`, maxBytes: 50_000, timeoutMs: 20_000 } });
}

const events = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json" };

describe("a server over HTTP", () => {
  it.each<[string, string, (response: import("node:http").ServerResponse, id: unknown) => void]>([
    ["answers with an error page", "upstream_error", (response) => response.writeHead(500).end("<html>")],
    ["refuses the credentials", "upstream_error", (response) => response.writeHead(401).end()],
    [
      "answers in another format",
      "upstream_invalid_response",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    ],
    ["answers no JSON", "upstream_invalid_response", (response) => response.writeHead(200, json).end("{")],
    [
      "answers JSON of another shape",
      "upstream_invalid_response",
      (response, id) =>
        response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: "text" } })),
    ],
    [
      "answers too much JSON",
      "upstream_invalid_response",
      (response) => response.writeHead(200, json).end(`"${"x\n\n".repeat(30_000)}"`),
    ],
    [
      "floods an event",
      "upstream_invalid_response",
      (response) => response.writeHead(200, events).end(`data: ${"x".repeat(200_000)}\n\n`),
    ],
    [
      "breaks off in an event",
      "upstream_unreachable",
      (response) => response.writeHead(200, events).write("data: {", () => response.destroy()),
    ],
    [
      "ends its stream without an answer",
      "upstream_unreachable",
      (response) => response.writeHead(200, events).end(": nothing\n\n"),
    ],
    ["hangs up", "upstream_unreachable", (response) => response.destroy()],
    [
      "redirects to another host",
      "upstream_unreachable",
      (response) => response.writeHead(307, { location: "http://127.0.0.2:9/" }).end(),
    ],
  ])("that %s fails the call with %s", async (_what, code, misbehave) => {
    const engine = await openHttp(misbehave);
    expect(await codeOf(engine.mcp.call({ name: "x__act" }))).toBe(code);
    expect(engine.inFlight).toBe(0);
  });

  it("may send any number of events as long as each is short", async () => {
    const engine = await openHttp((response, id) => {
      response.writeHead(200, events);
      for (let count = 0; count < 5_000; count++) response.write(`: ${"x".repeat(50)}\r\n\r\n`);
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: say("at last") })}\n\n`);
    });
    expect(await engine.mcp.call({ name: "x__act" })).toMatchObject(say("at last"));
  });

  it("that accepts connections and says nothing does not hold up the list", async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    opened.push(async () => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const engine = open({ x: { url: `http://127.0.0.1:${port}/mcp` } });
    const giveUp = new AbortController();
    const listed = engine.mcp.tools({ signal: giveUp.signal });
    giveUp.abort();
    expect(await listed).toMatchObject({ tools: [], unavailable: [{ server: "x" }] });
  });
});
