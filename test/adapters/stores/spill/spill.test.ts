import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { spillingStore } from "../../../../adapters/stores/spill/index.ts";
import { openRowFile } from "../../../../adapters/stores/spill/row-file.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { anEntryOf } from "../../support/entries.ts";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-spill-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "waiting.db");
}

const entryOf = (number: number, user = "u"): LedgerEntry =>
  anEntryOf({ id: `event-${number}`, at: Date.UTC(2026, 0, 1) + number, user, attempts: [] });

const unavailable = () => new GatewayError("store_unavailable", "away");

/** A store whose ledger takes entries while `append` lets it. */
function storeWith(append: (entries: readonly LedgerEntry[], values: readonly CounterValue[]) => Promise<void>): Store {
  const store = memoryStore();
  return {
    ...store,
    ledger: {
      ...store.ledger,
      append: async (entries, values = []) => {
        await append(entries, values);
        await store.ledger.append(entries, values);
      },
    },
  };
}

it("each process has a file of its own, and the next takes over what a process left that is gone", () => {
  const path = newPath();
  const one = openRowFile(path, 1e8);
  const two = openRowFile(path, 1e8);
  expect([one.path, two.path]).toEqual([path, `${path}-2`]);
  two.add([entryOf(1), entryOf(2)]);
  two.close(); // as the end of the process does
  one.add([entryOf(0)]);
  one.close();
  const next = openRowFile(path, 1e8);
  expect(next.first(10).map(({ entry }) => entry.id)).toEqual(["event-0", "event-1", "event-2"]);
  expect(next.count).toBe(3);
  next.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a file of another program, a folder, and a missing folder are refused with their path", () => {
  const path = newPath();
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE theirs (a)");
  other.close();
  const store = memoryStore();
  const message = (name: string) => {
    try {
      spillingStore(store, { path: name });
      return "opened";
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  expect(message(path)).toContain(`names ${path}, which cannot be used: it belongs to another program`);
  writeFileSync(path, "no database");
  expect(message(path)).toContain("file is not a database");
  expect(message(join(path, "..", "none", "a.db"))).toContain("whose folder does not exist");
  expect(() => spillingStore(store, { path, maxBytes: 0 })).toThrow("`maxBytes`");
});

it("a full file refuses calls before a row is lost, and takes entries again once it was emptied", async () => {
  let isAway = true;
  const store = spillingStore(
    storeWith(async () => {
      if (isAway) throw unavailable();
    }),
    { path: newPath(), maxBytes: 100_000, patienceMs: 1, againMs: 20 },
  );
  onTestFinished(() => store.close());
  await store.ledger.recover(0, false);
  let number = 0;
  const append = () => store.ledger.append([entryOf(number++, "x".repeat(5_000))]);
  const outcomes: string[] = [];
  for (let count = 0; count < 40; count++)
    outcomes.push(
      await append().then(
        () => "safe",
        () => "refused",
      ),
    );
  const safe = outcomes.filter((outcome) => outcome === "safe").length;
  expect(safe).toBeGreaterThan(5);
  expect(outcomes.at(-1)).toBe("refused");
  expect(store.ledger.backlog?.()).toMatchObject({ isFull: true, onDisk: safe, lost: 0 });
  isAway = false;
  await vi.waitFor(() => expect(store.ledger.backlog?.()).toMatchObject({ onDisk: 0, isFull: false }));
  const { entries } = await store.ledger.entries({ limit: 100 });
  expect(entries).toHaveLength(safe);
});

it("an entry that the store refuses for what it holds is lost alone, and counted", async () => {
  let isAway = true;
  const store = spillingStore(
    storeWith(async (entries) => {
      if (isAway) throw unavailable();
      if (entries.some(({ user }) => user === "unfit")) throw new GatewayError("internal", "refused");
    }),
    { path: newPath(), patienceMs: 1, againMs: 5 },
  );
  onTestFinished(() => store.close());
  await store.ledger.recover(0, false);
  for (let number = 0; number < 5; number++)
    await store.ledger.append([entryOf(number, number === 2 ? "unfit" : "fit")]);
  isAway = false;
  await vi.waitFor(() => expect(store.ledger.backlog?.()).toMatchObject({ onDisk: 0, lost: 1 }));
  const { entries } = await store.ledger.entries({ limit: 100 });
  expect(entries.map(({ id }) => id).sort()).toEqual(["event-0", "event-1", "event-3", "event-4"]);
});

it("counters of this process get what an earlier one left in the file, and their values go with the entries", async () => {
  const path = newPath();
  const value: CounterValue = { counter: "a", start: 0, end: 1_000, used: 7 };
  const passed: CounterValue[] = [];
  let isAway = true;
  const open = () =>
    spillingStore(
      storeWith(async (_entries, values) => {
        if (isAway) throw unavailable();
        passed.push(...values);
      }),
      { path, patienceMs: 1, againMs: 5 },
    );
  const first = open();
  await first.ledger.recover(0, true);
  await first.ledger.append([entryOf(0)], [value]);
  await first.ledger.append([entryOf(1)], [value]);
  await first.close();
  const second = open();
  onTestFinished(() => second.close());
  expect((await second.ledger.recover(0, true)).entries.map(({ id }) => id)).toEqual(["event-0", "event-1"]);
  await second.ledger.append([entryOf(2)], [value]);
  await second.ledger.append([entryOf(3)], [value]);
  isAway = false;
  await vi.waitFor(() => expect(second.ledger.backlog?.()).toMatchObject({ onDisk: 0 }));
  expect(passed).toContainEqual(value);
});
