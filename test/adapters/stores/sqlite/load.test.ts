import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { anEntryOf } from "../../support/entries.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const some = (count: number) => Array.from({ length: count }, () => anEntryOf());
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store that has just written three entries at once, and what another connection sees of its file. */
async function busyStore() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "store.db");
  const store = sqliteStore(path);
  await store.ledger.append(some(3));
  const watcher = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => watcher.close());
  const ask = (sql: string) => Number(Object.values(watcher.prepare(sql).get() ?? {})[0]);
  const version = () => ask("PRAGMA data_version");
  return { store, watch: { version, count: () => ask("SELECT count(*) FROM request") } };
}

describe("appending", () => {
  it("under load is one transaction for all of three turns", async () => {
    const { store, watch } = await busyStore();
    const before = watch.version();
    const written = [store.ledger.append(some(3))];
    await turn();
    written.push(store.ledger.append(some(1)));
    await turn();
    written.push(store.ledger.append(some(2)));
    expect(watch.count()).toBe(3);
    await Promise.all(written);
    expect([watch.count(), watch.version()]).toEqual([9, before + 1]);
    await store.close();
  });

  it("of as many as are worth a transaction does not wait for others", async () => {
    const { store, watch } = await busyStore();
    const written = store.ledger.append(some(24));
    await turn();
    expect(watch.count()).toBe(27);
    await written;
    await store.close();
  });

  it("one by one does not wait for others, but once behind a load", async () => {
    const { store, watch } = await busyStore();
    const behind = store.ledger.append(some(1));
    await turn();
    expect(watch.count()).toBe(3);
    await behind;
    const written = store.ledger.append(some(1));
    await turn();
    expect(watch.count()).toBe(5);
    await written;
    await store.close();
  });

  it("is written by closing while it waits for others", async () => {
    const { store, watch } = await busyStore();
    const waiting = store.ledger.append(some(2));
    await turn();
    expect(watch.count()).toBe(3);
    await store.close();
    expect(watch.count()).toBe(5);
    await waiting;
  });
});
