import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { LedgerEntry, Recovered } from "../../../../src/engine/ports/ledger.ts";
import { anAttempt, anEntryOf } from "../../support/entries.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  return join(folder, `${files++}.db`);
}

const always = { from: 0, to: 8.64e15 };
const some = (count: number) => Array.from({ length: count }, () => anEntryOf());
const standing = (counter: string, used: number, end = 2_000): CounterValue => ({ counter, start: 1_000, end, used });

describe("appending", () => {
  it("is one transaction for all that is appended in a turn of the event loop", async () => {
    const path = newPath();
    const store = sqliteStore(path);
    await store.ledger.append(some(1));
    const watcher = new DatabaseSync(path, { readOnly: true });
    const version = () => Number(watcher.prepare("PRAGMA data_version").get()?.data_version);
    const before = version();
    await Promise.all(Array.from({ length: 50 }, () => store.ledger.append(some(2))));
    expect(version()).toBe(before + 1);
    expect(watcher.prepare("SELECT count(*) AS count FROM request").get()).toEqual({ count: 101 });
    watcher.close();
    await store.close();
  });

  it("keeps every entry and its attempts, however many come in a turn", async () => {
    const store = sqliteStore(":memory:");
    const written: LedgerEntry[] = [];
    for (let count = 0; count <= 20; count++) {
      const attemptsOf = (position: number) =>
        Array.from({ length: (count + position) % 4 }, (_, tries) => anAttempt({ latency: tries + count }));
      const entries = Array.from({ length: count }, (_, position) =>
        anEntryOf({ latency: 100 * count + position, attempts: attemptsOf(position) }),
      );
      await store.ledger.append(entries);
      written.push(...entries);
    }
    const { entries } = await store.ledger.entries({ limit: 1_000 });
    const byId = (one: LedgerEntry, other: LedgerEntry) => (one.id < other.id ? -1 : 1);
    expect(entries.toSorted(byId)).toEqual(written.toSorted(byId));
    await store.close();
  });

  it("is on disk when the promise resolves, and not promised before", async () => {
    const path = newPath();
    const store = sqliteStore(path);
    const watcher = sqliteStore(path);
    const written = store.ledger.append(some(3));
    expect((await watcher.ledger.entries({ limit: 9 })).entries).toHaveLength(0);
    await written;
    expect((await watcher.ledger.entries({ limit: 9 })).entries).toHaveLength(3);
    await watcher.close();
    await store.close();
  });

  it("of nothing resolves at once, and with what is waiting", async () => {
    const store = sqliteStore(":memory:");
    await store.ledger.append([]);
    const written = store.ledger.append(some(1));
    await store.ledger.append([]);
    expect((await store.ledger.entries({ limit: 9 })).entries).toHaveLength(1);
    await written;
    await store.close();
  });

  it("after closing is refused, and what was waiting is written by closing", async () => {
    const path = newPath();
    const store = sqliteStore(path);
    const waiting = store.ledger.append(some(2));
    await store.close();
    await store.close();
    await waiting;
    await expect(store.ledger.append(some(1))).rejects.toMatchObject({ code: "shutting_down" });
    const again = sqliteStore(path);
    expect((await again.ledger.entries({ limit: 9 })).entries).toHaveLength(2);
    await again.close();
  });

  it("of something that cannot be written fails with its batch, and leaves the ledger and its sums whole", async () => {
    const store = sqliteStore(newPath(), { rollEvery: 4 });
    await store.ledger.append(some(2));
    const bad = anEntryOf({ key_id: "new key", status: Number.NaN });
    await expect(store.ledger.append([...some(3), bad])).rejects.toThrow(/NOT NULL/);
    await store.ledger.append([anEntryOf({ key_id: "new key" }), ...some(2)]);
    const rows = await store.ledger.query({ ...always, group_by: ["key_id"] });
    expect(rows.map(({ group, requests, cost }) => [group.key_id, requests, cost])).toEqual([
      ["new key", 1, 3_000],
      ["vk_1", 4, 12_000],
    ]);
    await store.close();
  });

  it("of a request with 256 attempts keeps them all apart", async () => {
    const store = sqliteStore(":memory:");
    const attempts = Array.from({ length: 256 }, (_, latency) => anAttempt({ latency }));
    await store.ledger.append([anEntryOf({ attempts }), anEntryOf()]);
    const { entries } = await store.ledger.entries({ limit: 2 });
    expect(entries[1]?.attempts.map(({ latency }) => latency)).toEqual(attempts.map(({ latency }) => latency));
    expect(entries[0]?.attempts).toHaveLength(1);
    await store.close();
  });
});

describe("after a restart", () => {
  it("entries and sums are there, whether they were rolled or not", async () => {
    const path = newPath();
    for (const count of [7, 5, 1]) {
      const store = sqliteStore(path, { rollEvery: 4 });
      for (const entry of some(count)) await store.ledger.append([entry]);
      await store.close();
    }
    const store = sqliteStore(path);
    const [row] = await store.ledger.query(always);
    expect(row).toMatchObject({ requests: 13, attempts: 13, cost: 39_000 });
    expect((await store.ledger.entries({ limit: 99 })).entries).toHaveLength(13);
    await store.close();
  });

  it("ids go on where they were, also when everything was pruned", async () => {
    const path = newPath();
    const first = sqliteStore(path);
    await first.ledger.append(some(5));
    expect(await first.ledger.prune({ before: 8e15 })).toBe(5);
    await first.close();
    const second = sqliteStore(path);
    await second.ledger.append(some(2));
    expect((await second.ledger.entries({ limit: 9 })).entries).toHaveLength(2);
    expect((await second.ledger.query(always))[0]?.requests).toBe(7);
    await second.close();
  });
});

describe("recovering", () => {
  it("gives the standings that were rolled, and the entries appended since, oldest first", async () => {
    const path = newPath();
    const { ledger, close } = sqliteStore(path, { rollEvery: 3 });
    const entries = some(4);
    await ledger.append(entries.slice(0, 2), [standing("a", 5), standing("b", 7)]);
    const live = { ...standing("a", 9) };
    const written = ledger.append(entries.slice(2, 3), [live]);
    live.used = 10; // read when it is written, not before
    await written;
    await ledger.append(entries.slice(3), [standing("a", 99)]);
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(reader.prepare("SELECT counter, used FROM standing").all()).toEqual([
      { counter: "a", used: 10 },
      { counter: "b", used: 7 },
    ]);
    reader.close();
    const recovered = (await ledger.recover(0)) as Recovered;
    expect(recovered.counterValues).toEqual([standing("a", 10), standing("b", 7)]);
    expect(recovered.entries.map(({ id }) => id)).toEqual(entries.slice(3).map(({ id }) => id));
    await close();
  });

  it("leaves out, and drops, standings whose window is over", async () => {
    const store = sqliteStore(newPath(), { rollEvery: 1 });
    await store.ledger.append(some(1), [standing("over", 5, 2_000), standing("open", 5, 3_000)]);
    expect((await store.ledger.recover(2_000)).counterValues).toEqual([standing("open", 5, 3_000)]);
    expect((await store.ledger.recover(0)).counterValues).toHaveLength(1);
    await store.close();
  });

  it("is foreseen by whoever looks from beside, without taking the role of the writer", async () => {
    const path = newPath();
    const mine = sqliteStore(path, { rollEvery: 3 });
    const theirs = sqliteStore(path);
    const entries = some(4);
    await mine.ledger.append(entries, [standing("a", 5, 3_000), standing("over", 5, 2_000)]);
    await mine.ledger.append([anEntryOf({ id: "last" })]);
    const seen = (await theirs.ledger.inspect(2_000)) as Recovered;
    expect(seen.counterValues).toEqual([standing("a", 5, 3_000)]);
    expect(seen.entries.map(({ id }) => id)).toEqual(["last"]);
    await mine.ledger.append(some(1));
    await theirs.close();
    await mine.close();
  });

  it("gives nothing from before a checkpoint, what was appended in the same turn included", async () => {
    const path = newPath();
    const mine = sqliteStore(path);
    const theirs = sqliteStore(path);
    await mine.ledger.append(some(2), [standing("a", 5)]);
    const written = mine.ledger.append(some(1), [standing("a", 6)]);
    mine.ledger.checkpoint();
    await written;
    expect(await theirs.ledger.inspect(0)).toEqual({ counterValues: [standing("a", 6)], entries: [] });
    theirs.ledger.checkpoint(); // it does not write, and does not begin to
    await mine.ledger.append(some(1));
    await theirs.close();
    await mine.close();
  });

  it("keeps standings that are given back without entries, once sums are written", async () => {
    const path = newPath();
    const store = sqliteStore(path);
    await store.ledger.append([], [standing("a", 42)]);
    await store.ledger.append(some(1));
    await store.close();
    const again = sqliteStore(path);
    expect(await again.ledger.recover(0)).toEqual({ counterValues: [standing("a", 42)], entries: [] });
    await again.close();
  });
});

describe("records", () => {
  it("written by another process move the stamp within ten milliseconds; its ledger and its reading do not change ours", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = newPath();
    const mine = sqliteStore(path);
    const theirs = sqliteStore(path);
    const at = "2026-11-20T00:00:00.000Z";
    const customer = {
      id: "c",
      name: "c",
      active: true,
      metadata: {},
      budgets: [],
      rate_limits: [],
      created_at: at,
      updated_at: at,
    };
    const before = mine.records.stamp();
    await theirs.records.put("customer", customer, 0);
    expect(mine.records.stamp()).toBe(before); // not asked for again in the same moment
    vi.advanceTimersByTime(10);
    expect(mine.records.stamp()).not.toBe(before);
    expect(await mine.records.get("customer", "c")).toMatchObject({ version: 1 });
    expect(await mine.records.put("customer", { ...customer, name: "d" }, 0)).toEqual({ kind: "moved", version: 1 });
    await mine.close();
    await theirs.close();
  });
});
