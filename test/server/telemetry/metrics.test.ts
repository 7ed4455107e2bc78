import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { openEngine } from "../../../src/server/open-engine.ts";
import { serveMetrics } from "../../../src/server/telemetry/metrics.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

const hello = { model: "local/echo", messages: [{ role: "user" as const, content: "Hello" }] };

/** A folder with a configuration of this line. */
function folderWith(line: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-metrics-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "tollgate.config.yaml"), `discover: false\n${line}\n`);
  return folder;
}

/** An engine over that configuration, and where its metrics are. */
async function serve(line: string) {
  const opened = await openEngine(fakeTerminal({ folder: folderWith(line) }), undefined);
  onTestFinished(() => opened.engine.close());
  const server = await serveMetrics(opened);
  if (server !== undefined) onTestFinished(server.close);
  return { engine: opened.engine, address: server?.address ?? "" };
}

/** The lines of a counter or histogram in the form of Prometheus. */
function linesOf(page: string, name: string): string[] {
  return page.split("\n").filter((line) => line.startsWith(name));
}

it("nothing is served unless that is asked for", async () => {
  expect((await serve("recovery: error")).address).toBe("");
});

it("what the engine did stands at /metrics, in the form of Prometheus", async () => {
  const { engine, address } = await serve("metrics: { port: 0 }");
  for (let call = 0; call < 3; call++) await engine.chat(hello);
  await engine.chat({ ...hello, model: "nobody/m" }).catch(() => {});
  const page = await (await fetch(address)).text();
  const served = 'gen_ai_operation_name="chat",gen_ai_provider_name="local",gen_ai_request_model="echo"';
  expect(linesOf(page, "gen_ai_client_operation_duration_count")).toEqual([
    `gen_ai_client_operation_duration_count{${served}} 3`,
    'gen_ai_client_operation_duration_count{gen_ai_operation_name="chat",error_type="provider_not_found",tollgate_status="404"} 1',
  ]);
  expect(linesOf(page, "gen_ai_client_token_usage_sum")[0]).toBe(
    `gen_ai_client_token_usage_sum{${served},gen_ai_token_type="input"} 3`,
  );
  expect(linesOf(page, "tollgate_requests_active")).toEqual(["tollgate_requests_active 0"]);
});

describe("the port of metrics", () => {
  it("has one page, which can only be read", async () => {
    const { address } = await serve("metrics: { port: 0 }");
    expect((await fetch(address)).headers.get("content-type")).toContain("text/plain");
    expect((await fetch(address, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(new URL("/", address))).status).toBe(404);
    const posted = await fetch(address, { method: "POST", body: "x".repeat(100_000) });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it.each([
    ["evil.example", 400],
    ["scraped.example", 200],
    ["localhost", 200],
  ])("on this machine answers to its own names alone: %s", async (host, status) => {
    const { address } = await serve("metrics: { port: 0 }\nserver: { hosts: [scraped.example] }");
    const answered = await new Promise((resolve, reject) => {
      request(address, { headers: { host } }, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(answered).toBe(status);
  });

  it("that is taken is told by its setting, before a store is made", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const folder = folderWith(`metrics: { port: ${port} }`);
    const terminal = fakeTerminal({ folder });
    expect(await runProgram(["serve", "--port", "0"], terminal, () => "1")).toBe(1);
    const problem = `port ${port} on 127.0.0.1 is taken; choose another one, or 0 for any free one.`;
    expect(terminal.written.err).toBe(`tollgate: tollgate.config.yaml: \`metrics\`: ${problem}\n`);
    expect(readdirSync(folder)).toEqual(["tollgate.config.yaml"]);
  });

  it.each([
    ["metrics: yes please", "`metrics` must be `true`, or `host` and `port`."],
    ["metrics: { port: 70000 }", "`metrics.port`"],
    ["metrics: { path: /m }", "`metrics.path` is not a setting"],
    ["metrics: { host: nowhere.invalid, port: 0 }", "`metrics`: Unknown host nowhere.invalid."],
  ])("cannot be had with %s", async (line, problem) => {
    const terminal = fakeTerminal({ folder: folderWith(line) });
    expect(await runProgram(["serve", "--port", "0"], terminal, () => "1")).toBe(1);
    expect(terminal.written.err).toContain(`tollgate.config.yaml: ${problem}`);
  });
});
