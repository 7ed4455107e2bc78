import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHierarchy, anyStep, holdNow, nameWindow, play, release, settle, spendingOf } from "./budget-story.ts";

const anyStory = [anyHierarchy, fc.array(anyStep, { minLength: 5, maxLength: 60 })] as const;
const runs = { numRuns: 600 };

describe("nested budgets, in any interleaving of calls, ends, expiry and time", () => {
  it("hard: no level's spending ever passes its limit", () => {
    fc.assert(
      fc.property(...anyStory, (hierarchy, steps) => {
        for (const { spent, limit } of spendingOf(play(hierarchy, steps)).values()) {
          if (limit.isHard) expect(spent).toBeLessThanOrEqual(limit.max);
        }
      }),
      runs,
    );
  });

  it("soft: spending passes the limit at most by what was under way when the last call was admitted", () => {
    fc.assert(
      fc.property(...anyStory, (hierarchy, steps) => {
        const story = play(hierarchy, steps);
        for (const [name, { spent, limit }] of spendingOf(story)) {
          const underWay = story.underWay.get(name) ?? [];
          const inFlight = underWay.reduce((sum, { real, end }) => sum + (end === "settled" ? real : 0), 0);
          expect(spent).toBeLessThanOrEqual(limit.max + inFlight);
        }
      }),
      runs,
    );
  });

  it("a call is refused only when the limit that it names would really be passed, and the refusal says what is left", () => {
    fc.assert(
      fc.property(...anyStory, (hierarchy, steps) => {
        for (const { reservation, shortfall, held } of play(hierarchy, steps).refused) {
          const hold = reservation.call.holds[shortfall.position];
          const before = held.get(hold?.counter ?? "") ?? 0;
          expect(before + (hold?.amount ?? 0)).toBeGreaterThan(hold?.limit ?? 0);
          expect(shortfall.left).toBe(Math.max(0, (hold?.limit ?? 0) - before));
        }
      }),
      runs,
    );
  });

  it("once all calls are settled or released, nothing is held and each counter has what was spent in its open window", () => {
    fc.assert(
      fc.property(...anyStory, (hierarchy, steps) => {
        const story = play(hierarchy, steps);
        for (const [position, admitted] of story.admitted.entries()) {
          if (admitted.end === undefined) (position % 2 ? settle : release)(story, admitted);
        }
        const counters = [...new Set(story.limits.map(({ counter }) => counter))];
        const readings = story.counters.read(counters, story.now) as readonly ({ start: number } | undefined)[];
        const spending = spendingOf(story);
        for (const [position, counter] of counters.entries()) {
          const reading = readings[position];
          if (!reading) continue;
          const spent = spending.get(nameWindow(counter, reading.start))?.spent ?? 0;
          expect(reading).toMatchObject({ reserved: 0, used: spent });
        }
      }),
      runs,
    );
  });

  it("a call that is refused holds nothing, at no level", () => {
    fc.assert(
      fc.property(...anyStory, (hierarchy, steps) => {
        const story = play(hierarchy, steps);
        const counters = [...new Set(story.limits.map(({ counter }) => counter))];
        const held = holdNow(story);
        const readings = story.counters.read(counters, story.now) as readonly (
          | { used: number; reserved: number }
          | undefined
        )[];
        const told = readings.map((reading) => (reading ? reading.used + reading.reserved : 0));
        expect(told).toEqual(counters.map((counter) => held.get(counter) ?? 0));
      }),
      runs,
    );
  });
});
