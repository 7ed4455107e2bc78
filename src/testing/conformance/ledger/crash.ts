import assert from "node:assert/strict";
import type { Ledger } from "../../../engine/ports/ledger.ts";
import type { ConformanceCase } from "../case.ts";
import { day, entry, midnight } from "./entries.ts";

/** Where a ledger lies that outlives its process. */
export interface LedgerFactory {
  /** Opens it once more, beside those that are open: what a process leaves that dies is seen from there. */
  open(): Ledger | Promise<Ledger>;
}

/** More than one writing of what counters hold, in an adapter that writes it now and then. */
const many = 100;

/**
 * What a ledger must know again after the death of its process; each case wants a place that holds nothing. Not for ledgers that die with
 * it.
 */
export const ledgerCrashCases: readonly ConformanceCase<LedgerFactory>[] = [
  {
    title:
      "no charge that was confirmed is missing after a death: it is in what counters held, or its entry is reported, and never both",
    async run(location) {
      const ledger = await location.open();
      await ledger.recover(midnight);
      for (let used = 1; used <= many; used++) {
        const counterValue = { counter: "c", start: midnight, end: midnight + day, used };
        await ledger.append([entry({ id: `evt_${used}` })], [counterValue]);
        const { counterValues: limits, entries } = await (await location.open()).inspect(midnight);
        const written = limits.find(({ counter }) => counter === "c")?.used ?? 0;
        const reported = entries.map(({ id }) => id);
        const wanted = Array.from({ length: used - written }, (_, position) => `evt_${written + position + 1}`);
        assert.deepEqual(reported, wanted, `counters held ${written} of ${used}`);
      }
    },
  },
];
