import fc from "fast-check";
import { expect, it } from "vitest";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { anEntryOf } from "../support/entries.ts";

const day = 86_400_000;
const today = Date.UTC(2026, 10, 20);

/** Requests of one turn of the event loop: of which days, counted back from today. */
const anyTurn = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 });

it("what is appended while the ledger is pruned is found by its day, and is in the sums if and only if it is kept or they are", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyTurn, { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      fc.record({ before: fc.constantFrom(today - day, today, today + day / 2, Infinity), sums: fc.boolean() }),
      async (turns, rollEvery, { before, sums }) => {
        const { ledger, close } = sqliteStore(":memory:", { rollEvery });
        await ledger.append(Array.from({ length: 4_500 }, () => anEntryOf({ at: today - 9 * day }))); // several pieces
        const pruned = ledger.prune({ before, sums });
        const daysBack = turns.flat();
        for (const turn of turns) await ledger.append(turn.map((back) => anEntryOf({ at: today - back * day })));
        const removed = await pruned;
        let kept = 0;
        for (let back = 0; back <= 3; back++) {
          const from = today - back * day;
          const count = async (group_by: "day" | "status") =>
            (await ledger.query({ from, to: from + day, group_by: [group_by] }))[0]?.requests ?? 0;
          const found = await count("status");
          const appended = daysBack.filter((each) => each === back).length;
          expect(await count("day")).toBe(sums && from + day <= before ? found : appended);
          kept += found;
        }
        expect(kept).toBe(4_500 + daysBack.length - removed);
        await close();
      },
    ),
    { numRuns: 60 },
  ));
