import assert from "node:assert/strict";
import type { Counters } from "../../../engine/ports/counters.ts";
import type { ConformanceCase } from "../case.ts";
import { day, hold, mustRefuse, mustReserve, notify, start, today, tomorrow } from "./probe.ts";

/** How a reservation ends. */
export const endCases: readonly ConformanceCase<Counters>[] = [
  {
    title: "settling replaces the reserved amounts by the real ones, smaller or larger",
    async run(counters) {
      const reservation = await mustReserve(counters, [hold(), hold({ counter: "b", amount: 20 })]);
      const settlement = await counters.settle(reservation, [4, 35], start);
      assert.equal(settlement.isFirst, true);
      assert.equal(await notify(counters), "4+0 35+0");
    },
  },
  {
    title: "releasing gives everything back",
    async run(counters) {
      const reservation = await mustReserve(counters, [hold(), hold({ counter: "b" })]);
      assert.equal(await counters.release(reservation, start), true);
      assert.equal(await notify(counters), "0+0 0+0");
    },
  },
  {
    title: "only the first settle or release of a ticket does anything",
    async run(counters) {
      const settled = await mustReserve(counters, [hold()]);
      const released = await mustReserve(counters, [hold()]);
      await counters.settle(settled, [7], start);
      await counters.release(released, start);
      assert.equal((await counters.settle(settled, [7], start)).isFirst, false);
      assert.equal(await counters.release(settled, start), false);
      assert.equal((await counters.settle(released, [7], start)).isFirst, false);
      assert.equal(await counters.release(released, start), false);
      assert.equal(await notify(counters), "7+0 -");
    },
  },
  {
    title: "an expired soft reservation is given back, at its very instant",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 100 })], { expiresAt: start + 500 });
      await mustRefuse(counters, [hold()], { now: start + 499 });
      await mustReserve(counters, [hold()], { now: start + 500 });
    },
  },
  {
    title: "an expired hard reservation stays until its window ends: it may have been spent",
    async run(counters) {
      await mustReserve(counters, [hold({ amount: 100, isHard: true })], { expiresAt: start + 500 });
      await mustRefuse(counters, [hold()], { now: today.end - 1 });
      await mustReserve(counters, [hold({ opens: tomorrow })], { now: today.end });
    },
  },
  {
    title: "settling an expired ticket charges what was spent, once",
    async run(counters) {
      const request = [hold({ isHard: true }), hold({ counter: "b" })];
      const reservation = await mustReserve(counters, request, { expiresAt: start + 500 });
      const late = start + 600;
      assert.equal((await counters.settle(reservation, [4, 5], late)).isFirst, true);
      assert.equal((await counters.settle(reservation, [4, 5], late)).isFirst, false);
      assert.equal(await notify(counters, late), "4+0 5+0");
    },
  },
  {
    title: "releasing an expired ticket gives back what was still held, once",
    async run(counters) {
      const request = [hold({ isHard: true }), hold({ counter: "b" })];
      const reservation = await mustReserve(counters, request, { expiresAt: start + 500 });
      const late = start + 600;
      assert.equal(await counters.release(reservation, late), true);
      assert.equal(await counters.release(reservation, late), false);
      assert.equal(await notify(counters, late), "0+0 0+0");
    },
  },
];

/** How a reservation is narrowed, by adapters that do. */
export const narrowCases: readonly ConformanceCase<Counters>[] = [
  {
    title: "narrowing keeps the real amounts reserved, smaller or larger, and settling charges them once",
    async run(counters) {
      if (!counters.reduce) return;
      const reservation = await mustReserve(counters, [hold(), hold({ counter: "b", amount: 20, isHard: true })]);
      assert.equal(await counters.reduce(reservation, [4, 35], start), true);
      assert.equal(await notify(counters), "0+4 0+35");
      await mustRefuse(counters, [hold({ amount: 97 })]);
      await mustReserve(counters, [hold({ amount: 96 })]);
      assert.equal((await counters.settle(reservation, [4, 35], start)).isFirst, true);
      assert.equal(await notify(counters), "4+96 35+0");
    },
  },
  {
    title: "what was narrowed stays reserved when the ticket expires, also where it had lapsed before",
    async run(counters) {
      if (!counters.reduce) return;
      for (const narrowedAt of [start, start + 600]) {
        const counter = narrowedAt === start ? "a" : "b";
        const reservation = await mustReserve(counters, [hold({ counter })], { expiresAt: start + 500 });
        await counters.reduce(reservation, [7], narrowedAt);
      }
      assert.equal(await notify(counters, start + 700), "0+7 0+7");
    },
  },
  {
    title: "a ticket that was narrowed is released in full; one that was settled or released is not narrowed",
    async run(counters) {
      if (!counters.reduce) return;
      const [one, other] = [await mustReserve(counters, [hold()]), await mustReserve(counters, [hold()])];
      await counters.reduce(one, [7], start);
      assert.equal(await counters.release(one, start), true);
      await counters.settle(other, [3], start);
      for (const reservation of [one, other]) assert.equal(await counters.reduce(reservation, [7], start), false);
      assert.equal(await notify(counters), "3+0 -");
    },
  },
  {
    title: "a standing never holds what is narrowed and not settled yet; who gives standings can narrow",
    async run(counters) {
      const reservation = await mustReserve(counters, [hold()]);
      const other = await mustReserve(counters, [hold()]);
      await counters.reduce?.(reservation, [7], start);
      const { values: limits } = await counters.settle(other, [3], start);
      if (limits.length === 0) return;
      assert.ok(counters.reduce);
      assert.equal(limits[0]?.used, 3);
      await counters.settle(reservation, [7], start);
      assert.equal(await notify(counters), "10+0 -");
    },
  },
];

/** What time does to a counter. */
export const windowCases: readonly ConformanceCase<Counters>[] = [
  {
    title: "an open window stays open until its end, whatever windows later calls would open",
    async run(counters) {
      const expiresAt = tomorrow.end;
      await mustReserve(counters, [hold()], { expiresAt });
      const later = { start: start + 5, end: start + 5 + day };
      const reservation = await mustReserve(counters, [hold({ opens: later })], { now: start + 5, expiresAt });
      assert.deepEqual(reservation.held[0]?.window, today);
      assert.equal(await notify(counters, today.end - 1), "0+20 -");
      assert.equal(await notify(counters, today.end), "- -");
    },
  },
  {
    title: "the first use after the end opens the next window, empty, of every counter",
    async run(counters) {
      const many = Array.from({ length: 30 }, (_, number) => hold({ counter: `c${number}`, amount: 100 }));
      await counters.settle(await mustReserve(counters, many), Array(30).fill(100), start);
      for (const [position, full] of many.entries()) {
        const request = [{ ...full, opens: tomorrow }];
        if (position === 0) await mustRefuse(counters, request, { now: today.end - 1 });
        const next = await mustReserve(counters, request, { now: today.end, expiresAt: tomorrow.end });
        assert.deepEqual(next.held[0]?.window, tomorrow);
      }
    },
  },
  {
    title: "what is settled or released after its window ended leaves the next window alone",
    async run(counters) {
      const settings = { expiresAt: tomorrow.end };
      const [settled, released] = [
        await mustReserve(counters, [hold()], settings),
        await mustReserve(counters, [hold()], settings),
      ];
      await mustReserve(counters, [hold({ amount: 3, opens: tomorrow })], { now: today.end, ...settings });
      assert.equal((await counters.settle(settled, [10], today.end)).isFirst, true);
      assert.equal(await counters.release(released, today.end), true);
      assert.equal(await notify(counters, today.end), "0+3 -");
    },
  },
  {
    title: "a refusal of a counter whose window is over names the end of the window that would open",
    async run(counters) {
      await mustReserve(counters, [hold()]);
      const refusal = await mustRefuse(counters, [hold({ amount: 101, opens: tomorrow })], { now: today.end });
      assert.deepEqual([refusal.left, refusal.resetsAt], [100, tomorrow.end]);
    },
  },
  {
    title: "restored counters hold what they held, and windows that are over are ignored",
    async run(counters) {
      if (!counters.restore) return;
      const [a, c] = [
        { counter: "a", ...today, used: 95 },
        { counter: "c", ...today, used: 3 },
      ];
      await counters.restore([a, { counter: "b", start: start - day, end: start, used: 95 }, c], start);
      const reported = [{ ...a, reserved: 0 }, undefined, { ...c, reserved: 0 }];
      assert.deepEqual(await counters.read(["a", "b", "c"], start), reported);
      await mustRefuse(counters, [hold()]);
      await mustReserve(counters, [hold({ amount: 5 })]);
    },
  },
  {
    title: "restoring sets what is used and keeps what is reserved in the same window",
    async run(counters) {
      if (!counters.restore) return;
      await mustReserve(counters, [hold()]);
      await counters.restore([{ counter: "a", ...today, used: 50 }], start);
      assert.equal(await notify(counters), "50+10 -");
    },
  },
  {
    title:
      "the standings of a settlement, where there are any, hold what was used, also in windows that are over meanwhile",
    async run(counters) {
      const reservation = await mustReserve(counters, [
        hold(),
        hold({ counter: "b", opens: { start, end: start + 5 } }),
      ]);
      const { values: limits } = await counters.settle(reservation, [4, 5], start + 5);
      if (limits.length === 0) return;
      assert.ok(counters.restore, "who gives standings can restore");
      const reported = limits.map(({ counter, start, end, used }) => ({ counter, start, end, used }));
      assert.deepEqual(reported, [
        { counter: "a", ...today, used: 4 },
        { counter: "b", start, end: start + 5, used: 5 },
      ]);
    },
  },
];
