import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { ledgerCases } from "../../../src/testing/conformance/ledger/cases.ts";
import { ledgerCrashCases } from "../../../src/testing/conformance/ledger/crash.ts";
import { recordsCases } from "../../../src/testing/conformance/records/cases.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-stores-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.db`);

/** Every adapter with records and a ledger; a new one is a line here. */
const adapters: readonly (readonly [name: string, make: () => Store | Promise<Store>])[] = [
  ["memory", () => memoryStore()],
  ["sqlite in memory", () => sqliteStore(":memory:")],
  ["sqlite in a file, rolled often", () => sqliteStore(newPath(), { rollEvery: 30 })],
];

describe.each(adapters)("store: %s", (_name, make) => {
  for (const { title, run } of recordsCases) {
    it(`records: ${title}`, async () => {
      const store = await make();
      await run(store.records).finally(() => store.close());
    });
  }
  for (const { title, run } of ledgerCases) {
    it(`ledger: ${title}`, async () => {
      const store = await make();
      await run(store.ledger).finally(() => store.close());
    });
  }
});

describe("a ledger in a file", () => {
  it.each(ledgerCrashCases)("$title", async ({ run }) => {
    const path = newPath();
    const open = () => {
      const store = sqliteStore(path, { rollEvery: 30 });
      onTestFinished(() => store.close());
      return store.ledger;
    };
    await run({ open });
  });
  it.each(ledgerCrashCases)("$title: one that recovers nothing is found out", async ({ run }) => {
    const { ledger } = memoryStore();
    await expect(run({ open: () => ledger })).rejects.toThrow("counters held 0 of 1");
  });
});
