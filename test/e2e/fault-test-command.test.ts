import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endAll, start } from "./command-line.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-fault-test-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
});
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

async function runFaultTestCommand(...line: string[]) {
  const started = start(["fault-test", ...line], { folder });
  return { exitCode: await started.ended, out: started.out(), err: started.err() };
}

it("tollgate fault-test --quick passes in every scenario that the engine's options allow", async () => {
  const { exitCode, out, err } = await runFaultTestCommand("--quick");
  expect(out).toMatch(/^(\d+) of \1 passed; 8 scenarios skipped: they need another configuration\.\n$/);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
});

it("tollgate fault-test tries the limits of the configuration", async () => {
  writeFileSync(
    join(folder, "limits.json"),
    JSON.stringify({ timeouts: { firstContent: 250 }, retry: { retries: 1, baseMs: 20 } }),
  );
  const { exitCode, out } = await runFaultTestCommand(
    "--config",
    "limits.json",
    "--only",
    "without a fallback:",
    "--json",
  );
  const { rows } = JSON.parse(out) as { rows: { scenario: string; expected: string; passed: boolean }[] };
  expect(exitCode).toBe(0);
  const expectedOf = (words: string) => rows.find(({ scenario }) => scenario.includes(words))?.expected;
  expect(expectedOf("a silent route")).toBe("asked once, given up after 250 ms: `upstream_timeout` (504)");
  expect(expectedOf("a lasting 503")).toBe("asked 2 times, with back-off: `upstream_error` (503)");
});

it("tollgate fault-test fails when it plays nothing", async () => {
  expect(await runFaultTestCommand("--quick", "--only", "no such words")).toEqual({
    exitCode: 1,
    out: "0 of 0 passed; 0 scenarios skipped: they need another configuration.\n",
    err: "",
  });
});
