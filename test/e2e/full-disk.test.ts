import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endAll, start } from "./command-line.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-full-"));
beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
});
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

it("a program whose output is lost on a full disk fails, and says so", (context) => {
  if (!existsSync("/dev/full")) context.skip("there is no full disk to write to");
  const bin = join(root, "dist/bin.js");
  const shell = `"${process.execPath}" "${bin}" key create lost --allow '*' --store full.db > /dev/full`;
  const { stderr, status } = spawnSync("sh", ["-c", shell], { cwd: folder, encoding: "utf8" });
  expect(stderr).toMatch(/\ntollgate: The output cannot be written: ENOSPC: .*\n$/);
  expect(status).toBe(1);
});

it("a gateway whose log is read by nobody any more answers on, says so once, and still drains", async () => {
  const line = ["serve", "--port", "0", "--no-store"];
  const server = start(line, { folder });
  const [, address] = await server.until(/Listening on (http:\S+)\. /);
  server.process.stdout?.destroy();
  for (const _time of [1, 2, 3]) expect((await fetch(`${address}/nobody`)).status).toBe(404); // each is a line of the log
  await server.until(/The log loses lines: write EPIPE\. Calls are still answered\./);
  expect((await fetch(`${address}/health`)).status).toBe(200);
  server.process.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.err().match(/loses lines/g)).toHaveLength(1);
});
