import fc from "fast-check";
import { expect, it } from "vitest";
import { createFollower, type Printed } from "../../../src/cli/ledger/follower.ts";
import type { UsageReportEntry, UsageReportPage } from "../../../src/engine/metering/usage/report.ts";
import { reportEntry } from "../../../src/engine/metering/usage/report.ts";
import type { EntriesQuestion } from "../../../src/engine/ports/ledger.ts";
import { anEntryOf } from "../../adapters/support/entries.ts";

/** Rows by their places in the ledger; one that is written may become visible later than those behind it. */
interface Row {
  readonly entry: UsageReportEntry;
  readonly visibleAt: number;
}

const start = Date.UTC(2026, 10, 20);

/** A ledger that shows what is visible at `now.at`, two rows a page. */
function ledgerOf(rows: readonly Row[], now: { readonly at: number }) {
  return {
    async entries({ from = 0, after }: Partial<EntriesQuestion>): Promise<UsageReportPage> {
      const before = after === undefined ? rows.length : Number(after);
      const found: number[] = [];
      for (let place = before - 1; place >= 0 && found.length < 2; place--) {
        const row = rows[place];
        if (row && row.visibleAt <= now.at && row.entry.at >= from) found.push(place);
      }
      const last = found.at(-1);
      const entries = found.flatMap((place) => rows[place]?.entry ?? []);
      return last === undefined || last === 0 ? { entries } : { entries, next: String(last) };
    },
  };
}

const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("append" as const), delay: fc.integer({ min: 0, max: 9_000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("poll" as const), ms: fc.integer({ min: 1, max: 6_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
);

it("whenever rows become visible and runs end: each row that came after the first look is printed, and once by a run", async () => {
  const story = fc.asyncProperty(
    fc.integer({ min: 0, max: 5 }),
    fc.array(anyStep, { maxLength: 40 }),
    async (old, steps) => {
      const rows: Row[] = [];
      const now = { at: start };
      const append = (delay: number) => {
        const entry = reportEntry(anEntryOf({ at: now.at, id: `row-${rows.length}`, attempts: [] }));
        rows.push({ entry, visibleAt: now.at + delay });
      };
      for (let count = 0; count < old; count++) append(0);
      const usage = ledgerOf(rows, now);
      let saved: Printed | undefined;
      let follower = createFollower({ usage });
      const printed: string[] = [];
      const poll = async () => {
        const found = (await follower.poll(now.at)).map(({ id }) => id);
        expect(found.filter((id) => printed.includes(id))).toEqual([]);
        printed.push(...found);
        saved = new Map(follower.printed);
      };
      await poll();
      expect(printed).toEqual([]);
      for (const step of steps) {
        if (step.kind === "append") append(step.delay);
        if (step.kind === "poll") {
          now.at += step.ms;
          await poll();
        }
        if (step.kind === "restart") follower = createFollower({ usage, printed: saved });
      }
      now.at += 10_000;
      await poll();
      expect(printed.toSorted()).toEqual(
        rows
          .slice(old)
          .map(({ entry }) => entry.id)
          .toSorted(),
      );
    },
  );
  await fc.assert(story, { numRuns: 300 });
});
