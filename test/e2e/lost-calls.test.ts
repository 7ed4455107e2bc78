import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { endAll, start } from "./command-line.ts";
import { askLab, configOf, serveFolder, startVendor } from "./governed-serve.ts";
import { buildIfNeeded } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-lost-calls-"));
const env = { LAB_SECRET: "sk-lab-0123456789" };
let vendor: Awaited<ReturnType<typeof startVendor>>;
beforeAll(async () => {
  buildIfNeeded();
  vendor = await startVendor(() => {}); // never answers
});
afterAll(() => {
  endAll();
  vendor.close();
  rmSync(folder, { recursive: true });
});

it("calls that a killed gateway had under way get a row each when it is started again, once", async () => {
  writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url));
  const first = await serveFolder(folder, env);
  const calls = [1, 2, 3].map(() => askLab(first.address, first.firstKey ?? "").catch(() => "cut off"));
  const recorded = async () => {
    const store = sqliteStore(join(folder, "tollgate.db"));
    const { records } = await store.records.list("calls", { limit: 1 });
    await store.close();
    return records[0]?.record.entries.length;
  };
  await vi.waitFor(async () => expect(await recorded()).toBe(3), { timeout: 20_000, interval: 200 });
  first.process.kill("SIGKILL");
  expect(await Promise.all(calls)).toEqual(Array(3).fill("cut off"));
  for (const _again of [1, 2]) {
    const next = await serveFolder(folder, env);
    const usage = async () => {
      const { ended, out } = start(["usage", "--by", "reason"], { folder, env });
      await ended;
      return out();
    };
    await vi.waitFor(async () => expect(await usage()).toMatch(/^ +lost +3 +3 /m), { timeout: 20_000 });
    next.process.kill("SIGTERM");
    await next.ended;
  }
});
