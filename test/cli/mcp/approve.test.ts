import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { say, startMcpServer } from "../../fixtures/mcp/http-server.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

it("tollgate mcp approve says what is new, approves it in the store, and the other commands hold to it", async () => {
  const server = await startMcpServer({ add: () => say("5"), remove: () => say("gone") });
  const folder = mkdtempSync(join(tmpdir(), "tollgate-approve-"));
  opened.push(
    () => rmSync(folder, { recursive: true }),
    () => server[Symbol.asyncDispose](),
  );
  const mcp = { servers: { calc: { url: server.url, approval: "pinned" } } };
  writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify({ mcp, store: "sqlite:tollgate.db" }));
  const run = async (...line: string[]) => {
    const terminal = fakeTerminal({ folder, now: Date.now });
    const exitCode = await runProgram(["mcp", ...line], terminal, () => "1.2.3");
    return { exitCode, ...terminal.written };
  };
  expect(await run("list")).toMatchObject({ out: "No tools.\n", err: expect.stringContaining("calc__add: new") });
  expect((await run("approve", "calc", "--dry-run")).out).toMatch(/^ *new +add\b.*\n *new +remove\b/);
  expect(await run("call", "calc__add")).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("is not approved"),
  });
  expect(await run("approve", "calc", "--tool", "a*")).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^ *new +add/),
  });
  expect((await run("approve", "calc", "--tool", "a*")).out).toBe("Nothing is new or changed.\n");
  expect((await run("call", "calc__add")).out).toBe("5\n");
  expect((await run("list")).out).toMatch(/calc__add(?!.*calc__remove)/s);
  expect((await run("approve", "nothing")).err).toContain("No MCP server `nothing`");
  expect(server.called).toEqual(["add"]);
}, 30_000);
