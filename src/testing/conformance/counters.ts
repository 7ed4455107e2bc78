import assert from "node:assert/strict";
import type { Counters } from "../../ports/counters.ts";
import type { ConformanceCase } from "./case.ts";
import { limitCases } from "./counters-limits.ts";
import { hold, mustReserve, reserve, start, tell } from "./counters-probe.ts";
import { walkCounters } from "./counters-walk.ts";
import { endCases, narrowCases, windowCases } from "./counters-windows.ts";

const concurrency: readonly ConformanceCase<Counters>[] = [
  {
    title: "calls at the same time never admit more than fits",
    async run(counters) {
      const wish = [hold({ counter: "a", amount: 3 }), hold({ counter: "b", amount: 3, limit: 50 })];
      const answers = await Promise.all(Array.from({ length: 40 }, () => reserve(counters, wish)));
      assert.equal(answers.filter(({ kind }) => kind === "ticket").length, 16);
      assert.equal(await tell(counters), "0+48 0+48");
    },
  },
  {
    title: "a ticket that is settled and released at the same time is ended once",
    async run(counters) {
      const ticket = await mustReserve(counters, [hold()]);
      const ends = await Promise.all([
        ...Array.from({ length: 5 }, async () => (await counters.settle(ticket, [10], start)).isFirst),
        ...Array.from({ length: 5 }, async () => await counters.release(ticket, start)),
      ]);
      assert.equal(ends.filter(Boolean).length, 1);
    },
  },
  {
    title:
      "long walks of reservations, narrowings, settlements, releases and expiry agree with the rules, step by step",
    run: (counters) => walkCounters(counters, { steps: 2_000, seed: 7 }),
  },
];

/** The rules of the Counters port; each case wants counters that hold nothing. */
export const countersCases: readonly ConformanceCase<Counters>[] = [
  ...limitCases,
  ...endCases,
  ...narrowCases,
  ...windowCases,
  ...concurrency,
];
