import assert from "node:assert/strict";
import type { Counters } from "../../../engine/ports/counters.ts";
import type { ConformanceCase } from "../case.ts";
import { limitCases } from "./limits.ts";
import { hold, mustReserve, notify, reserve, start } from "./probe.ts";
import { slotCases } from "./slots.ts";
import { walkCounters } from "./walk.ts";
import { endCases, narrowCases, windowCases } from "./windows.ts";

const concurrency: readonly ConformanceCase<Counters>[] = [
  {
    title: "calls at the same time never admit more than fits",
    async run(counters) {
      const request = [hold({ counter: "a", amount: 3 }), hold({ counter: "b", amount: 3, limit: 50 })];
      const answers = await Promise.all(Array.from({ length: 40 }, () => reserve(counters, request)));
      assert.equal(answers.filter(({ kind }) => kind === "reserved").length, 16);
      assert.equal(await notify(counters), "0+48 0+48");
    },
  },
  {
    title: "a ticket that is settled and released at the same time is ended once",
    async run(counters) {
      const reservation = await mustReserve(counters, [hold()]);
      const ends = await Promise.all([
        ...Array.from({ length: 5 }, async () => (await counters.settle(reservation, [10], start)).isFirst),
        ...Array.from({ length: 5 }, async () => await counters.release(reservation, start)),
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
  ...slotCases,
];
