import { expect, it } from "vitest";
import { memoryCounters } from "../../adapters/counters/memory.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { Counters } from "../../src/engine/ports/counters.ts";
import type { Ledger } from "../../src/engine/ports/ledger.ts";
import { type ConformanceCase, countersCases, ledgerCases } from "../../src/testing/index.ts";

/** The rules that a subject breaks, by their titles. */
async function listBroken<Subject>(cases: readonly ConformanceCase<Subject>[], make: () => Subject): Promise<string[]> {
  const broken: string[] = [];
  for (const { title, run } of cases) await run(make()).catch(() => broken.push(title));
  return broken;
}

const countersOver = (plant: (counters: Counters) => Partial<Counters>) => () => {
  const counters = memoryCounters();
  return { ...counters, ...plant(counters) };
};

const ledgerOver = (plant: (ledger: Ledger) => Partial<Ledger>) => () => {
  const { ledger } = sqliteStore(":memory:");
  return { ...ledger, ...plant(ledger) };
};

it("counters that restore what stands before a window that is over, and no more, are found out", async () => {
  const make = countersOver((counters) => ({
    restore(standings, now) {
      const over = standings.findIndex(({ end }) => end <= now);
      return counters.restore?.(over < 0 ? standings : standings.slice(0, over), now);
    },
  }));
  expect(await listBroken(countersCases, make)).toEqual([
    "restored counters hold what they held, and windows that are over are ignored",
  ]);
});

it.each<[string, (ledger: Ledger) => Partial<Ledger>, string]>([
  [
    "gives more entries than were asked for",
    (ledger) => ({ entries: (question) => ledger.entries({ ...question, limit: 1_000 }) }),
    "entries are read back as they were appended, newest first, page by page",
  ],
  [
    "recovers the newest entry first",
    (ledger) => ({
      inspect: async (now) => {
        const { counterValues: standings, entries } = await ledger.inspect(now);
        return { counterValues: standings, entries: entries.toReversed() };
      },
    }),
    "what is to be recovered, where anything is, is what was appended last, in the order of its end",
  ],
])("a ledger that %s is found out", async (_bug, plant, rule) => {
  const cases = ledgerCases.filter(({ title }) => title === rule);
  expect(await listBroken(cases, ledgerOver(plant))).toEqual([rule]);
});
