import fc from "fast-check";
import { expect, it } from "vitest";
import { createGenerationalCache, generationMs } from "../../../../src/engine/pipeline/runtime/generational-cache.ts";

const texts = fc.constantFrom("a", "b", "c", "d");
const anyStep = fc.record({
  passes: fc.constantFrom(0, 1, generationMs - 1, generationMs, 3 * generationMs, -generationMs),
  text: texts,
  isSet: fc.boolean(),
});

it("what is remembered was set, and came within a minute", () =>
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const recent = createGenerationalCache<number>(100);
      const last = new Map<string, { found: number; came: number }>();
      let now = 1_000_000;
      let count = 0;
      for (const { passes, text, isSet } of steps) {
        now += passes;
        if (isSet) {
          recent.set(text, ++count, now);
          last.set(text, { found: count, came: now });
          continue;
        }
        const found = recent.get(text, now);
        const known = last.get(text);
        if (found === undefined) continue;
        expect(found).toBe(known?.found);
        expect(Math.abs(now - (known?.came ?? Number.NaN))).toBeLessThan(2 * generationMs);
        last.set(text, { found, came: now });
      }
    }),
    { numRuns: 3_000 }, // it takes a few steps of the right length to keep a text for too long
  ));

it("what comes again within half a minute is remembered, unless more than fit came in between", () =>
  fc.assert(
    fc.property(fc.array(fc.nat(generationMs - 1), { maxLength: 20 }), fc.nat(8), (pauses, others) => {
      const recent = createGenerationalCache<string>(10);
      let now = 0;
      recent.set("kept", "found", now);
      for (const pause of pauses) {
        now += pause;
        for (let other = 0; other < others; other++) recent.set(`other ${other}`, "", now);
        expect(recent.get("kept", now)).toBe("found");
      }
    }),
  ));

it("however many texts come, twice as many as fit are remembered at most", () => {
  const recent = createGenerationalCache<number>(10);
  for (let count = 0; count < 1_000; count++) recent.set(`text ${count}`, count, 0);
  const kept = Array.from({ length: 1_000 }, (_, count) => recent.get(`text ${count}`, 0)).filter(Number.isInteger);
  expect(kept.length).toBeLessThanOrEqual(20);
});

it("nothing is remembered once it is cleared", () => {
  const recent = createGenerationalCache<number>(10);
  for (const text of ["a", "b"]) recent.set(text, 1, 0);
  recent.get("a", generationMs); // one in each half
  recent.clear();
  expect([recent.get("a", generationMs), recent.get("b", generationMs)]).toEqual([undefined, undefined]);
});
