import assert from "node:assert/strict";
import type { Counters } from "../../../engine/ports/counters.ts";
import type { ConformanceCase } from "../case.ts";
import { hold, mustRefuse, mustReserve, notify, start, today, tomorrow } from "./probe.ts";

/** When a call is admitted. */
export const limitCases: readonly ConformanceCase<Counters>[] = [
  {
    title: "a counter without use has no reading",
    run: async (counters) => assert.deepEqual(await counters.read(["a", "b"], start), [undefined, undefined]),
  },
  {
    title: "a reservation counts against the limit at once, and says what it leaves",
    async run(counters) {
      const reservation = await mustReserve(counters, [hold({ amount: 60 })]);
      assert.deepEqual(reservation.held, [{ counter: "a", amount: 60, window: today, left: 40 }]);
      assert.equal(await notify(counters), "0+60 -");
      await mustRefuse(counters, [hold({ amount: 41 })]);
      await mustReserve(counters, [hold({ amount: 40 })]);
    },
  },
  {
    title: "what reaches the limit fits, what passes it does not; both enforcements alike",
    async run(counters) {
      for (const isHard of [false, true]) {
        const counter = `c${isHard}`;
        await mustRefuse(counters, [hold({ counter, amount: 101, isHard })]);
        await mustReserve(counters, [hold({ counter, amount: 100, isHard })]);
        await mustRefuse(counters, [hold({ counter, amount: 1, isHard })]);
        await mustReserve(counters, [hold({ counter, amount: 0, isHard })]);
      }
    },
  },
  {
    title: "a refusal names the first hold that does not fit, what is left and when it resets",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 97 }), hold({ counter: "b", amount: 97 })]);
      const request = [hold({ counter: "c" }), hold({ counter: "b" }), hold()];
      const { reserved = 97, ...refusal } = await mustRefuse(counters, request);
      assert.equal(reserved, 97);
      assert.deepEqual(refusal, {
        kind: "shortfall",
        position: 1,
        left: 3,
        resetsAt: today.end,
      });
    },
  },
  {
    title: "a refusal leaves every counter as it was, those that would have fitted included",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 95 })]);
      await mustRefuse(counters, [hold({ counter: "b" }), hold()]);
      assert.deepEqual(await counters.read(["b"], start), [undefined]);
      assert.equal(await notify(counters), "0+95 -");
    },
  },
  {
    title: "a refusal in an open window names its end, whatever window would open",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 97 })]);
      const refusal = await mustRefuse(counters, [hold({ opens: tomorrow })]);
      assert.deepEqual([refusal.left, refusal.resetsAt], [3, today.end]);
    },
  },
  {
    title: "a limit that was raised or lowered holds from the next call on",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 90 })]);
      await mustRefuse(counters, [hold({ amount: 20 })]);
      await mustReserve(counters, [hold({ amount: 20, limit: 110 })]);
      const refusal = await mustRefuse(counters, [hold({ amount: 1, limit: 50 })]);
      assert.equal(refusal.left, 0);
    },
  },
];
