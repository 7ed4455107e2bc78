import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { createEngine } from "../../src/index.ts";
import { answerOf } from "../http/support/dialects/answers.ts";
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

/** A small disk in memory, for one test. */
function mountDisk(megabytes: number): string {
  const disk = mkdtempSync(join(tmpdir(), "tollgate-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk]);
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return disk;
}

it("a gateway whose disk is full refuses calls before a row is lost, and begins again when there is room", async (context) => {
  if (process.getuid?.() !== 0) context.skip("only root may mount a small disk");
  const disk = mountDisk(8);
  const store = sqliteStore(join(disk, "tollgate.db"), { mostWaiting: 100 });
  let answered = 0;
  const chat = async () => {
    answered++;
    return answerOf({ role: "assistant", content: "Well." });
  };
  const engine = createEngine({ providers: [{ name: "lab", chat }], store, requireKey: true });
  const { value: key } = await engine.keys.create({ name: "caller", allow: ["lab/*"] });
  const ask = () =>
    engine.chat({ model: "lab/m", messages: [{ role: "user", content: "Hi" }] }, { key }).then(
      () => "answered",
      (thrown) => thrown.code as string,
    );
  expect(await ask()).toBe("answered");
  const filler = join(disk, "filler");
  fillDisk(filler);
  const outcomes: string[] = [];
  while (outcomes.at(-1) !== "store_unavailable" && outcomes.length < 5_000) outcomes.push(await ask());
  const whole = answered;
  expect(outcomes.filter((outcome) => outcome === "answered")).toHaveLength(whole - 1);
  expect(store.ledger.backlog?.()).toMatchObject({ lost: 0, isFull: true });
  await expect(engine.chat({ model: "lab/m", messages: [] }, { key })).rejects.toThrow();
  expect(await ask()).toBe("store_unavailable");
  expect(answered).toBe(whole); // nothing was asked that could not be written down
  rmSync(filler);
  await vi.waitFor(async () => expect(await ask()).toBe("answered"), { timeout: 20_000, interval: 100 });
  const rows = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER, group_by: ["status"] });
  expect(rows.find(({ group }) => group.status === 200)?.requests).toBe(answered);
  expect(store.ledger.backlog?.().lost).toBe(0);
  await engine.close();
});

/** False where there is no room for so much more. */
function isWritten(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) === size;
  } catch {
    return false;
  }
}

/** Takes all the room there is. */
function fillDisk(path: string): void {
  const file = openSync(path, "w");
  for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) while (isWritten(file, size));
  closeSync(file);
}

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
