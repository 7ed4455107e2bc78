import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-full-"));
beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a program whose output is lost on a full disk fails, and says so", (context) => {
  if (!existsSync("/dev/full")) context.skip("there is no full disk to write to");
  const bin = join(root, "dist/bin.js");
  const shell = `"${process.execPath}" "${bin}" key create lost --allow '*' --store full.db > /dev/full`;
  const { stderr, status } = spawnSync("sh", ["-c", shell], { cwd: folder, encoding: "utf8" });
  expect(stderr).toMatch(/\ntollgate: The output cannot be written: ENOSPC: .*\n$/);
  expect(status).toBe(1);
});
