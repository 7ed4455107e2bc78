import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../../adapters/shared/postgres/database.ts";
import { foldSums, largeBacklog } from "../../../../adapters/stores/postgres/ledger/rollups.ts";
import { migrations, rollupTables } from "../../../../adapters/stores/postgres/schema.ts";
import type { LedgerEntry, UsageQuestion } from "../../../../src/engine/ports/ledger.ts";
import { createDraw } from "../../../../src/testing/conformance/draw.ts";
import { day, entry, fill, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";
import { sumByRules } from "../../../../src/testing/conformance/ledger/model.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const { newSchema, openStore } = suite;

/** The same schema once more, to fold in it as another process does. */
function openFolder(schema: string) {
  const choice = { of: "store", name: schema, isMade: true, migrations: async () => migrations } as const;
  const database = openDatabase(suite.server.pool(), choice);
  onTestFinished(() => database.close());
  return database;
}

const groups: readonly UsageQuestion["group_by"][] = [[], ["day", "model"], ["month", "key_id"], ["hour"], ["month"]];

/** Sums one table alone, whatever the others hold. */
async function requestsIn(schema: string, table: string): Promise<number> {
  const row = await suite.server.ask(`SELECT coalesce(sum(requests), 0)::int AS count FROM ${schema}.${table}`);
  return Number(row?.count);
}

/** Fills `usage_new` with rows that no process counts, as those that died left them. */
async function leaveBacklog(schema: string, rows: number): Promise<void> {
  await suite.server.ask(`INSERT INTO ${schema}.usage_new
    SELECT (u).* FROM (SELECT u FROM ${schema}.usage_new AS u LIMIT 1) AS one, generate_series(1, ${rows})`);
}

describe("store: postgres, sums that are folded", () => {
  it("keeps every sum what the ledger says, wherever batches cut, whoever folds at once and writes meanwhile", async () => {
    const anyStep = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 0, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 4 }), fc.nat(1_000), async (steps, seed) => {
        const schema = newSchema();
        const { ledger } = openStore(schema);
        const folders = [openFolder(schema), openFolder(schema), openFolder(schema)];
        const entries: LedgerEntry[] = [];
        for (const [round, { count, sizes }] of steps.entries()) {
          const [filled] = await Promise.all([
            fill(ledger, { draw: createDraw(seed + round), count }),
            ...sizes.map((size, n) => foldSums(folders[n] ?? openFolder(schema), { size })),
          ]);
          entries.push(...filled);
          for (const group_by of groups) {
            const question = { from: 0, to: 8.64e15, group_by };
            expect(await ledger.query(question)).toEqual(sumByRules(entries, question));
          }
        }
        await foldSums(openFolder(schema), { size: 7 });
        for (const { table } of rollupTables) expect(await requestsIn(schema, table)).toBe(entries.length);
        expect(await requestsIn(schema, "usage_new")).toBe(0);
      }),
      { numRuns: 12 },
    );
  });

  it("moves no more in one transaction than its size, and goes on from there after it was stopped", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    await ledger.append([entry()]);
    await leaveBacklog(schema, 99);
    await foldSums(openFolder(schema), { size: 30, isStopped: () => true });
    expect(await requestsIn(schema, "usage_new")).toBe(70);
    expect(await requestsIn(schema, "usage_by_all_hour")).toBe(30);
    await foldSums(openFolder(schema), { size: 30 });
    expect(await requestsIn(schema, "usage_new")).toBe(0);
    for (const { table } of rollupTables) expect(await requestsIn(schema, table)).toBe(100);
  });

  it("folds what others left, as soon as a gateway starts, and gives the place back", async () => {
    const schema = newSchema();
    const before = openStore(schema);
    await before.ledger.append([entry()]);
    await leaveBacklog(schema, 150_000);
    const { ledger } = openStore(schema);
    await ledger.recover(midnight, false);
    await expect.poll(() => requestsIn(schema, "usage_new"), { timeout: 60_000 }).toBe(0);
    const size = async () =>
      Number((await suite.server.ask(`SELECT pg_relation_size('${schema}.usage_new') AS size`))?.size);
    await expect.poll(size, { timeout: 10_000 }).toBeLessThan(largeBacklog / 8);
    expect(await ledger.query({ from: 0, to: midnight + 9 * day })).toMatchObject([{ requests: 150_001 }]);
  });

  it("folds what others left while it writes, though it has written little itself", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    await ledger.append([entry()]);
    await leaveBacklog(schema, 150_000);
    for (let round = 0; round < 3; round++) await ledger.append(Array.from({ length: 100 }, () => entry()));
    await expect.poll(() => requestsIn(schema, "usage_by_target"), { timeout: 60_000 }).toBeGreaterThan(150_000);
    expect(await ledger.query({ from: 0, to: midnight + 9 * day })).toMatchObject([{ requests: 150_301 }]);
  });
});
