import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { LedgerEntry } from "../../src/engine/ports/ledger.ts";
import { endAll, start } from "./command-line.ts";
import { askLab, configOf, serveFolder, startVendor } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-serve-kill-"));
const path = join(folder, "tollgate.db");
const env = { LAB_SECRET: "sk-lab-0123456789" };
/** Ids of answers that a client has received whole. */
const received: string[] = [];
let key = "";
let vendor: Awaited<ReturnType<typeof startVendor>>;

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  vendor = await startVendor();
  writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, "logLevel: silent"));
}, 120_000);
afterAll(() => {
  endAll();
  vendor.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves, keeps 200 requests under way until `enough` were answered, and kills the server in the middle of its work. */
async function killUnderLoad(enough: number): Promise<void> {
  const server = await serveFolder(folder, env);
  key = server.firstKey ?? key;
  let answered = 0;
  const call = async (): Promise<void> => {
    for (;;) {
      const response = await askLab(server.address, key);
      const answer = (await response.json()) as { choices?: unknown };
      if (response.status !== 200 || !answer.choices) throw new Error(`answered with ${response.status}`);
      received.push(response.headers.get("x-tg-event-id") ?? "");
      if (++answered === enough) server.process.kill("SIGKILL");
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: 200 }, call));
  await server.ended;
  const wrong = ends.filter((end) => end.status === "rejected" && /answered with/.test(String(end.reason)));
  expect(wrong).toEqual([]);
}

async function readAll(): Promise<LedgerEntry[]> {
  const store = sqliteStore(path);
  const all: LedgerEntry[] = [];
  let after: string | undefined;
  do {
    const page = await store.ledger.entries({ limit: 1_000, ...(after === undefined ? {} : { after }) });
    all.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  await store.close();
  return all;
}

describe("kill -9 of tollgate serve under 200 concurrent requests, twice", () => {
  it("leaves every answer that was received whole in the ledger, and none twice", { timeout: 120_000 }, async () => {
    for (const enough of [700, 300]) await killUnderLoad(enough);
    const ids = (await readAll()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const kept = new Set(ids);
    expect(received.filter((id) => !kept.has(id))).toEqual([]);
    expect(received.length).toBeGreaterThanOrEqual(1_000);
  });

  it("leaves a file that is whole", () => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const file = new DatabaseSync(path);
    expect(file.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    file.close();
  });

  it("leaves a bill that agrees with the ledger, and a gateway that goes on with the same key", async () => {
    const entries = await readAll();
    const billed = entries.flatMap(({ attempts }) => attempts).reduce((sum, { cost }) => sum + cost, 0);
    const usage = start(["usage", "--by", "key", "--json"], { folder, env });
    expect(await usage.ended).toBe(0);
    const [row] = JSON.parse(usage.out());
    expect({ requests: row.requests, cost: row.cost_nano }).toEqual({ requests: entries.length, cost: billed });
    const server = await serveFolder(folder, env);
    expect(server.firstKey).toBeUndefined();
    expect((await askLab(server.address, key)).status).toBe(200);
  });
});
