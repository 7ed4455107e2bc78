import { readFileSync } from "node:fs";
import { type Server, request as send } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { type NetworkOptions, network } from "../../../../../adapters/transports/undici.ts";
import { createEngine } from "../../../../../src/index.ts";
import { portOf } from "../../../../adapters/support/shared/http/setup.ts";
import { say, startMcpServer } from "../../../../fixtures/mcp/http-server.ts";
import { startProxy } from "../../../../http/support/connect-proxy.ts";
import { makeCertificate } from "../../../../support/certificate.ts";

/** A server of the protocol whose certificate a private authority made, and which only a proxy finds by its name. */
async function innerServer() {
  const { authority, certificate, key } = makeCertificate();
  const server = await startMcpServer({
    add: ({ a, b }) => say(String(Number(a) + Number(b))),
    async slowly(_provided, { progress }) {
      await progress(1);
      return say("done");
    },
  });
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  const tls = createTlsServer(pair, (incoming, outgoing) => {
    const { method = "", headers } = incoming;
    const onward = send(server.url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await portOf(tls as unknown as Server);
  const proxy = await startProxy();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: `https://vendor.test:${port}/mcp`, port, proxy, ca: readFileSync(authority, "utf8"), server };
}

function engineOver(url: string, options: NetworkOptions) {
  const engine = createEngine({
    providers: [{ name: "a" }],
    transport: network(options),
    mcp: { servers: { inner: { url, headers: { "x-team": "t1" } } } },
  });
  onTestFinished(() => engine.close({ graceMs: 0 }));
  return engine;
}

describe("MCP servers over the engine's transport", () => {
  it("are reached through its proxy and trusted by its authority, with calls, progress and changes of the list", async () => {
    const { url, port, proxy, ca, server } = await innerServer();
    const engine = engineOver(url, { proxy: { https: proxy.url }, ca });
    const { content } = await engine.mcp.call({ name: "inner__add", arguments: { a: 1, b: 2 } });
    expect(content).toEqual([{ type: "text", text: "3" }]);
    const reports: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }) => void reports.push(progress);
    await engine.mcp.call({ name: "inner__slowly" }, { onProgress });
    expect(reports).toEqual([1]);
    const changed = new Promise<void>((resolve) => engine.mcp.onToolsChanged(resolve));
    await server.change({ other: () => say("new") });
    await changed;
    expect((await engine.mcp.tools()).tools.map(({ name }) => name)).toEqual(["inner__other"]);
    expect(server.headers()["x-team"]).toBe("t1");
    expect(proxy.tunnels.length).toBeGreaterThan(0);
    expect(proxy.tunnels.every(([authority]) => authority === `vendor.test:${port}`)).toBe(true);
  });

  it("are not reached without the authority, and the error says so", async () => {
    const { url, proxy } = await innerServer();
    const engine = engineOver(url, { proxy: { https: proxy.url } });
    const { unavailable } = await engine.mcp.tools();
    expect(unavailable).toEqual([
      { server: "inner", message: expect.stringMatching(/inner.*(CERT|SIGNATURE|CHAIN|certificate)/s) },
    ]);
  });

  it("are not reached where the proxy refuses", async () => {
    const { url, ca } = await innerServer();
    const { url: refusing } = await startProxy(403);
    const engine = engineOver(url, { proxy: { https: refusing }, ca });
    await expect(engine.mcp.call({ name: "inner__add" })).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringContaining("403"),
    });
  });
});
