import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { LedgerEntry, UsageQuestion } from "../../../../src/engine/ports/ledger.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { sumByRules } from "../../../../src/testing/conformance/ledger/model.ts";
import { downgrade } from "../../../adapters/support/downgrade.ts";
import { anAttempt, anEntryOf } from "../../../adapters/support/entries.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-hours-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each property opens thousands of files: ten seconds here, and more beside other work. */
const slowMs = 60_000;

const [minute, day] = [60_000, 86_400_000];
/** The last day of a month lies among those that are drawn. */
const first = Date.UTC(2026, 0, 30);
const anyInstant = fc
  .tuple(fc.constantFrom(0, 5, 23, 24, 25, 47, 48, 71), fc.constantFrom(0, 1, 30, 59))
  .map(([hours, minutes]) => first + (hours * 60 + minutes) * minute);
/** Later than all others, and pruned last: where nothing newer is known, a day ends with it, and is whole. */
const newest = first + 7 * day - 30 * minute;

const anyEntry = fc.record({
  at: anyInstant,
  key: fc.constantFrom("vk_1", "vk_2", undefined),
  models: fc.array(fc.constantFrom("a/m", "a/n", "b/m"), { maxLength: 3 }),
  status: fc.constantFrom(200, 500),
});
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.array(anyEntry, { minLength: 1, maxLength: 5 }).map((entries) => ({ entries })) },
  { weight: 1, arbitrary: fc.record({ before: fc.oneof(anyInstant, fc.constant(Infinity)), sums: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ upgrade: fc.constantFrom(1, 2, undefined) }) },
);

/** Parts of two days around a midnight, neither of them whole: whole days are told by sums that outlive their requests. */
const anySpan = fc
  .record({
    night: fc.constantFrom(0, 1, 2, 3, 7),
    before: fc.nat(24 * 60 - 1),
    after: fc.nat(24 * 60 - 1),
    isByHour: fc.boolean(),
  })
  .map(({ night, before, after, isByHour }) => {
    const step = isByHour ? 60 : 1;
    const [back, on] = [before, after].map((minutes) => Math.floor(minutes / step) * step * minute) as [number, number];
    return { from: first + night * day - back, to: first + night * day + on };
  });
const anyQuestion: fc.Arbitrary<UsageQuestion> = fc
  .record({
    span: anySpan,
    group_by: fc.constantFrom<UsageQuestion["group_by"]>(
      [],
      ["day"],
      ["month", "provider"],
      ["key_id", "model"],
      ["day", "request_type"],
      ["status"],
    ),
    filters: fc.constantFrom<UsageQuestion["filters"]>(
      {},
      { key_id: "vk_1" },
      { model: ["a/m", "b/m"] },
      { day: "2026-01-31" },
      { month: "2026-02" },
    ),
  })
  .map(({ span, ...rest }) => ({ ...span, ...rest }));

function entryOf({ at, key, models, status }: typeof anyEntry extends fc.Arbitrary<infer Value> ? Value : never) {
  const attempts = models.map((model) => anAttempt({ provider: model.slice(0, 1), model, at, cost: 7 }));
  return anEntryOf({ at, key_id: key, status, attempts });
}

let files = 0;

/** Sums of hours that nobody asks any more. */
function countForgotten(path: string): unknown {
  const file = new DatabaseSync(path, { readOnly: true });
  const sql = "SELECT count(*) AS count FROM usage_by_all_hour WHERE hour < (SELECT hourly FROM mark)";
  const found = file.prepare(sql).get();
  file.close();
  return found?.count;
}

it(
  "parts of days are summed from whole hours as from single requests, through rolls, restarts, upgrades and pruning",
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 8 }),
        fc.array(anyQuestion, { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 1, max: 6 }),
        async (steps, questions, rollEvery) => {
          let path = join(folder, `${files++}.db`);
          let store: Store = sqliteStore(path, { rollEvery });
          let kept = [anEntryOf({ at: newest })];
          await store.ledger.append(kept);
          const check = async () => {
            for (const question of questions) {
              expect(await store.ledger.query(question)).toEqual(sumByRules(kept, question));
            }
          };
          for (const step of steps) {
            if ("entries" in step) {
              const entries = step.entries.map(entryOf);
              kept = [...kept, ...entries];
              await store.ledger.append(entries);
            } else if ("before" in step) {
              await store.ledger.prune(step);
              kept = kept.filter(({ at }) => at >= step.before);
              expect(countForgotten(path)).toBe(0);
            } else {
              const old = store;
              if (step.upgrade) {
                const copy = join(folder, `${files++}.db`);
                downgrade(path, copy, step.upgrade);
                path = copy;
              } else await old.close();
              store = sqliteStore(path, { rollEvery });
              await old.close();
            }
            await check();
          }
          await store.close();
        },
      ),
      { numRuns: 60 },
    ),
  slowMs,
);

/** From the end of January to the beginning of April. */
const anyDay = fc.integer({ min: 0, max: 65 });
const anyDays = fc.tuple(anyDay, fc.integer({ min: 1, max: 65 })).map(([night, length]) => {
  return { from: first + night * day, to: first + (night + length) * day };
});
const byMonth = fc.constantFrom<UsageQuestion["group_by"]>([], ["month"], ["key_id", "model"], ["provider", "day"]);

it(
  "days that are most of a month are summed as the month less the others, through rolls, restarts and what comes late",
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(anyDay, anyEntry), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(anyDays, byMonth), { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        async (turns, questions, rollEvery) => {
          const path = join(folder, `${files++}.db`);
          const kept: LedgerEntry[] = [];
          for (const turn of turns) {
            const store = sqliteStore(path, { rollEvery });
            const entries = turn.map(([night, entry]) => entryOf({ ...entry, at: first + night * day + 5 * minute }));
            kept.push(...entries);
            await store.ledger.append(entries);
            for (const [span, group_by] of questions) {
              const question = { ...span, group_by };
              expect(await store.ledger.query(question)).toEqual(sumByRules(kept, question));
            }
            await store.close();
          }
        },
      ),
      { numRuns: 60 },
    ),
  slowMs,
);
