import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import { anAttempt, anEntryOf } from "../../support/entries.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-standings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const standing = (counter: string, used: number, end: number): CounterValue => ({ counter, start: 900, end, used });

it("recovering gives a standing that is over as long as an entry may hold a charge of its window", async () => {
  const path = join(folder, "a.db");
  const mine = sqliteStore(path, { rollEvery: 2 });
  const theirs = sqliteStore(path);
  await mine.ledger.append([anEntryOf(), anEntryOf()], [standing("a", 5, 2_000), standing("long over", 5, 1_000)]);
  await mine.ledger.append([anEntryOf({ at: 1_500, attempts: [anAttempt({ at: 1_600 })] })]);
  for (let times = 0; times < 2; times++) {
    expect((await theirs.ledger.inspect(9_000)).counterValues).toEqual([standing("a", 5, 2_000)]);
    expect((await mine.ledger.recover(9_000)).counterValues).toEqual([standing("a", 5, 2_000)]);
  }
  mine.ledger.checkpoint();
  expect((await mine.ledger.recover(9_000)).counterValues).toEqual([]);
  await theirs.close();
  await mine.close();
});

it.each(["before it was written", "after it was written"])(
  "a window that is over does not replace the next, %s",
  async (when) => {
    const store = sqliteStore(join(folder, `${when}.db`));
    const [over, next] = [standing("a", 5, 1_000), { counter: "a", start: 1_000, end: 2_000, used: 7 }];
    await store.ledger.append([anEntryOf()], [next]);
    if (when === "after it was written") store.ledger.checkpoint();
    await store.ledger.append([anEntryOf()], [over]); // of a call that outlasted its window
    store.ledger.checkpoint();
    expect((await store.ledger.recover(1_500)).counterValues).toEqual([next]);
    await store.close();
  },
);
