import assert from "node:assert/strict";
import type { Ledger, UsageQuestion } from "../../../engine/ports/ledger.ts";
import type { ConformanceCase } from "../case.ts";
import { createDraw } from "../draw.ts";
import { day, fill, midnight } from "./entries.ts";
import { lastUsedCases } from "./last-used.ts";
import { sumByRules } from "./model.ts";

/** The rules about spans of time without a beginning or an end, and about the newest requests. */
export const spanCases: readonly ConformanceCase<Ledger>[] = [
  ...lastUsedCases,
  {
    title: "a question without a beginning or an end is about all that there is before the other",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(9), count: 100 });
      const middle = midnight + 1.5 * day;
      for (const group_by of [[], ["month", "key_id"], ["status"]] as const) {
        for (const span of [
          { from: -Infinity, to: middle },
          { from: middle, to: Infinity },
          { from: -Infinity, to: Infinity },
        ])
          assert.deepEqual(await ledger.query({ ...span, group_by }), sumByRules(entries, { ...span, group_by }));
      }
    },
  },
  {
    title: "pruning before the end of time forgets all, before its beginning nothing",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(10), count: 50 });
      const question: UsageQuestion = { from: 0, to: 8.64e15, group_by: ["month", "key_id"] };
      assert.equal(await ledger.prune({ before: -Infinity, sums: true }), 0);
      assert.deepEqual(await ledger.query(question), sumByRules(entries, question));
      assert.equal(await ledger.prune({ before: Infinity, sums: true }), entries.length);
      assert.deepEqual(await ledger.query(question), []);
    },
  },
];
