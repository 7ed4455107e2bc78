import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { LedgerEntry } from "../../src/engine/ports/ledger.ts";

const child = fileURLToPath(new URL("ledger-child.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tollgate-kill-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "store.db");
const always = { from: 0, to: 8.64e15 };

/** Runs the child until it has been promised `enough` entries, kills it in the middle of its work, and returns what it was promised. */
function killAfter(enough: number, life: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, path, String(life)], { stdio: ["ignore", "pipe", "inherit"] });
    let told = "";
    running.stdout.on("data", (piece) => {
      told += piece;
      if (told.split("\n").length > enough) running.kill("SIGKILL");
    });
    running.on("error", reject);
    running.on("close", (code, signal) => {
      if (signal !== "SIGKILL") reject(new Error(`the child ended by itself with ${code}`));
      else resolve(told.split("\n").slice(0, -1));
    });
  });
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

describe("killing a gateway under 200 concurrent requests, again and again", () => {
  const promised: string[] = [];

  it("loses no entry that was promised, and keeps none twice", async () => {
    for (const [life, enough] of [300, 37, 1_234, 5].entries()) promised.push(...(await killAfter(enough, life)));
    const ids = (await readAll()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const kept = new Set(ids);
    expect(promised.filter((id) => !kept.has(id))).toEqual([]);
    expect(promised.length).toBeGreaterThan(1_500);
  });

  it("leaves a file that is whole", () => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const file = new DatabaseSync(path);
    expect(file.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    file.close();
  });

  it("leaves sums that agree with the entries, by every way to sum them", async () => {
    const entries = await readAll();
    const store = sqliteStore(path);
    for (const group_by of [[], ["key_id"], ["model"], ["key_id", "model"], ["user"]] as const) {
      const rows = await store.ledger.query({ ...always, group_by });
      expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(entries.length);
      expect(rows.reduce((sum, { cost }) => sum + cost, 0)).toBe(entries.length * 3_000);
    }
    await store.close();
  });

  it("leaves what counters need to go on exactly where they were", async () => {
    const store = sqliteStore(path);
    const { counterValues: standings, entries } = await store.ledger.recover(0);
    await store.close();
    expect(standings).toHaveLength(1);
    expect((standings[0]?.used ?? 0) + entries.length).toBe((await readAll()).length);
  });
});
