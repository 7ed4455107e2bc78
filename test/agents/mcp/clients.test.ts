import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll } from "../../e2e/command-line.ts";
import { agents } from "../agents.ts";
import { installAgent } from "../install.ts";
import { runProgram } from "../process.ts";
import { type ScriptedVendor, startScriptedVendor } from "../scripted-vendor.ts";
import { commandOf, endServers, type McpGateway, serveServers } from "./gateway.ts";

const note = "files__read_text_file";
let gateway: McpGateway;
let vendor: ScriptedVendor;

beforeAll(async () => {
  const path = "note.txt";
  vendor = await startScriptedVendor({ tool: `mcp__tollgate__${note}`, arguments: { path }, answer: "It is a note." });
  gateway = await serveServers(vendor.url);
});
afterAll(() => {
  vendor?.close();
  endAll();
  endServers();
});

/** How often each tool was called with the key, and what that cost. */
async function callsOf(model: string): Promise<number> {
  const rows = await gateway.calls();
  return rows.find((row) => row.model === model)?.requests ?? 0;
}

const headers = () => ({ authorization: `Bearer ${gateway.key}` });
const url = () => new URL(`${gateway.address}/mcp`);
const path = () => join(gateway.folder, "shared", "note.txt");

describe("two servers of the npm registry, over both transports", () => {
  it("are listed and called by the official client; what the key may not call is not there", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: { headers: headers() } }) as never);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain(note);
    expect(names).toContain("everything__echo");
    expect(names).not.toContain("everything__get-env");
    expect(names.filter((name) => name.startsWith("files__"))).toEqual([note]);
    expect(await client.callTool({ name: note, arguments: { path: path() } })).toMatchObject({
      content: [{ text: "a note" }],
    });
    expect(await client.callTool({ name: "everything__get-sum", arguments: { a: 2, b: 3 } })).toMatchObject({
      content: [{ text: expect.stringContaining("5") }],
    });
    await expect(client.callTool({ name: "everything__get-env" })).rejects.toThrow("There is no tool");
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    const long = { name: "everything__trigger-long-running-operation", arguments: { duration: 1, steps: 4 } };
    await client.callTool(long, undefined, { onprogress });
    expect(seen.length).toBeGreaterThanOrEqual(3);
    await client.close();
    expect(await gateway.calls()).toMatchObject(
      expect.arrayContaining([
        { model: "mcp.everything/get-sum", requests: 1, cost_nano: 250_000_000 },
        { model: "mcp.files/read_text_file", requests: 1, cost_nano: 500_000_000 },
      ]),
    );
  });

  it("are listed and called by the AI SDK's client", async () => {
    const client = await createMCPClient({ transport: { type: "http", url: url().href, headers: headers() } });
    const tools = await client.tools();
    expect(Object.keys(tools)).toContain("everything__echo");
    const call = { toolCallId: "1", messages: [] };
    const echo = tools.everything__echo as unknown as { execute(input: object, options: object): Promise<unknown> };
    expect(JSON.stringify(await echo.execute({ message: "hello" }, call))).toContain("Echo: hello");
    await client.close();
    expect(await callsOf("mcp.everything/echo")).toBe(1);
  });

  it("are listed and called by the inspector", async () => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: gateway.folder };
    const inspect = (...method: string[]) =>
      runProgram(
        [
          ...commandOf("inspector"),
          url().href,
          "--transport",
          "http",
          "--header",
          `authorization: ${headers().authorization}`,
          "--method",
          ...method,
        ] as never,
        { folder: gateway.folder, env, deadlineMs: 60_000 },
      );
    const listed = await inspect("tools/list");
    expect(listed.out, listed.err).toContain('"files__read_text_file"');
    expect(listed.out).not.toContain("get-env");
    const called = await inspect("tools/call", "--tool-name", note, "--tool-arg", `path=${path()}`);
    expect(called.out, called.err).toContain("a note");
  });

  it("are called by Claude Code in the course of a conversation through the same gateway", async (context) => {
    const installed = installAgent("claude-code");
    if ("missing" in installed) return context.skip(installed.missing);
    const before = await callsOf("mcp.files/read_text_file");
    const home = join(gateway.folder, "home");
    mkdirSync(join(home, "work"), { recursive: true });
    const settings = { mcpServers: { tollgate: { type: "http", url: url().href, headers: headers() } } };
    writeFileSync(join(home, "mcp.json"), JSON.stringify(settings));
    const { address, key } = gateway;
    const model = "anthropic/claude-sonnet-4-5";
    const launch = agents["claude-code"].launch({
      home,
      interface: "anthropic",
      model,
      address,
      key,
      prompt: "Read the note.",
    } as never);
    const [flag = "", prompt = ""] = launch.arguments;
    const line = [
      flag,
      prompt,
      "--mcp-config",
      join(home, "mcp.json"),
      "--strict-mcp-config",
      "--allowedTools",
      `mcp__tollgate__${note}`,
    ];
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: home,
      NO_COLOR: "1",
      TERM: "dumb",
      ENABLE_TOOL_SEARCH: "false", // else its tools are found one by one, which the script does not do
      ...launch.env,
    };
    const { code, out, err } = await runProgram([...installed.command, ...line], {
      folder: join(home, "work"),
      env,
      deadlineMs: 90_000,
    });
    expect({ code, out }, err).toEqual({ code: 0, out: expect.stringContaining("It is a note.") });
    const second = vendor.asked.find(({ results }) => results.length > 0);
    expect(second?.tools).toContain(`mcp__tollgate__${note}`);
    expect(second?.tools).not.toContain("mcp__tollgate__everything__get-env");
    expect(await callsOf("mcp.files/read_text_file")).toBe(before + 1);
  });
});
