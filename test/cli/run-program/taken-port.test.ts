import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

it("a gateway whose port is taken leaves no store behind, which would be one without its first key", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-taken-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const terminal = fakeTerminal({ folder });
  expect(await runProgram(["serve", "--port", String(port)], terminal, () => "1")).toBe(1);
  expect(terminal.written.err).toContain(`Port ${port} on 127.0.0.1 is taken.`);
  expect(readdirSync(folder)).toEqual([]);
});
