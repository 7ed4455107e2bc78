import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, createListener, type Engine } from "../../../src/index.ts";
import { endAll } from "../../e2e/command-line.ts";
import { serveFolder } from "../../e2e/governed-serve.ts";
import { startMcpServer, type TestMcpServer } from "../../fixtures/mcp/http-server.ts";
import { serve, type TestServer } from "../../http/support/server.ts";
import { runProgram } from "../process.ts";
import { commandOf } from "./gateway.ts";
import { startNameProxy } from "./name-proxy.ts";
import { suiteContents, suiteSchema, suiteTools } from "./suite-tools.ts";

let folder: string;
let other: TestMcpServer;
let engine: Engine;
let server: TestServer;
let proxy: Awaited<ReturnType<typeof startNameProxy>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-conformance-"));
  other = await startMcpServer(suiteTools, {
    schemas: { json_schema_2020_12_tool: suiteSchema },
    contents: suiteContents,
  });
  engine = createEngine({ providers: [{ name: "none" }], mcp: { servers: { suite: { url: other.url } } } });
  server = await serve(createListener({ engine }));
  proxy = await startNameProxy(`${server.url}/mcp`);
});
afterAll(async () => {
  endAll();
  proxy?.close();
  await server?.[Symbol.asyncDispose]();
  await engine?.close({ graceMs: 0 });
  await other?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...line: string[]) =>
  runProgram([...commandOf("conformance"), ...line] as never, {
    folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
    deadlineMs: 60_000,
  });

const passed = /Passed: (\d+)\/\1, 0 failed/;

describe("the conformance suite of the protocol", () => {
  it.each([
    ...["server-initialize", "ping", "tools-list", "json-schema-2020-12"],
    ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
    ...["tools-call-mixed-content", "tools-call-error", "tools-call-with-progress"],
    ...["resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read"],
    ...["prompts-list", "prompts-get-simple", "prompts-get-with-args"],
    ...["prompts-get-embedded-resource", "prompts-get-with-image"],
  ])("as a server: %s", async (scenario) => {
    const { out, err } = await run("server", "--url", proxy.url, "--scenario", scenario);
    expect(out + err).toMatch(passed);
  });

  it("as a server that is started on a developer's machine: dns-rebinding-protection", async () => {
    const { address } = await serveFolder(folder, {}, "--open");
    const url = `${address.replace("127.0.0.1", "localhost")}/mcp`;
    const { out, err } = await run("server", "--url", url, "--scenario", "dns-rebinding-protection");
    expect(out + err).toMatch(passed);
  });

  it.each(["initialize", "tools_call", "sse-retry", "auth/client-credentials-basic"])(
    "as a client: %s",
    async (scenario) => {
      const program = new URL("client-program.mjs", import.meta.url).pathname;
      const { out, err } = await run("client", "--command", `${process.execPath} ${program}`, "--scenario", scenario);
      expect(out + err).toMatch(passed);
    },
  );
});
