import assert from "node:assert/strict";
import type { Counters } from "../../../engine/ports/counters.ts";
import type { SlotLimit } from "../../../engine/ports/slots.ts";
import type { ConformanceCase } from "../case.ts";
import { start } from "./probe.ts";

const later = start + 1_000;
const a: SlotLimit = { counter: "key/a/in_flight", limit: 2 };
const b: SlotLimit = { counter: "project/b/in_flight", limit: 1 };

interface SlotAttempt {
  readonly limits: readonly SlotLimit[];
  readonly now?: number;
  readonly expiresAt?: number;
}

/** Takes slots; `undefined` when they were there, else the position of the bound that is full. */
async function take(
  { slots }: Counters,
  id: string,
  { limits, now = start, expiresAt = later }: SlotAttempt,
): Promise<number | undefined> {
  assert.ok(slots, "the adapter counts calls under way");
  return await slots.acquire({ id, limits }, now, expiresAt);
}

/** Bounds of calls under way. */
export const slotCases: readonly ConformanceCase<Counters>[] = [
  {
    title: "as many calls are under way as the bound allows, and one more when one has ended",
    async run(counters) {
      assert.equal(await take(counters, "1", { limits: [a] }), undefined);
      assert.equal(await take(counters, "2", { limits: [a] }), undefined);
      assert.equal(await take(counters, "3", { limits: [a] }), 0);
      await counters.slots?.free({ id: "1", limits: [a] });
      await counters.slots?.free({ id: "1", limits: [a] });
      assert.equal(await take(counters, "3", { limits: [a] }), undefined);
      assert.equal(await take(counters, "4", { limits: [a] }), 0);
    },
  },
  {
    title: "a call takes slots of all its bounds or of none, and hears which is full",
    async run(counters) {
      assert.equal(await take(counters, "1", { limits: [a, b] }), undefined);
      assert.equal(await take(counters, "2", { limits: [a, b] }), 1);
      assert.equal(await take(counters, "3", { limits: [a] }), undefined);
      assert.equal(await take(counters, "4", { limits: [a] }), 0);
    },
  },
  {
    title: "calls at the same time never take more slots than there are",
    async run(counters) {
      const wide = { ...a, limit: 7 };
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => take(counters, `${n}`, { limits: [wide] })),
      );
      assert.equal(answers.filter((answer) => answer === undefined).length, 7);
    },
  },
  {
    title: "the slots of a process that died come back when its leases expire, not before",
    async run(counters) {
      await take(counters, "dead", { limits: [b] });
      assert.equal(await take(counters, "2", { limits: [b], now: later - 1, expiresAt: later + 1_000 }), 0);
      assert.equal(await take(counters, "2", { limits: [b], now: later, expiresAt: later + 1_000 }), undefined);
    },
  },
  {
    title: "a lease that is renewed stays, takes no second slot, and is not lost when the bound was lowered",
    async run(counters) {
      await take(counters, "1", { limits: [a] });
      await take(counters, "2", { limits: [a] });
      assert.equal(
        await take(counters, "1", { limits: [{ ...a, limit: 1 }], now: later - 1, expiresAt: later + 5_000 }),
        undefined,
      );
      assert.equal(await take(counters, "3", { limits: [a], now: later, expiresAt: later + 1_000 }), undefined);
      assert.equal(await take(counters, "4", { limits: [a], now: later, expiresAt: later + 1_000 }), 0);
    },
  },
  {
    title: "a bound that was raised or lowered holds from the next call on",
    async run(counters) {
      await take(counters, "1", { limits: [a] });
      assert.equal(await take(counters, "2", { limits: [{ ...a, limit: 1 }] }), 0);
      assert.equal(await take(counters, "2", { limits: [{ ...a, limit: 2 }] }), undefined);
      assert.equal(await take(counters, "3", { limits: [{ ...a, limit: 3 }] }), undefined);
    },
  },
];
