import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResetDuration } from "../../../../src/engine/api/governance.ts";
import { openWindow } from "../../../../src/engine/policy/window.ts";

const day = 86_400_000;

/** Where calendars go wrong: leap days, ends of months, quarters and years, Mondays, and changes of clocks that UTC does not have. */
const edges = [
  "2024-02-29T00:00:00Z",
  "2024-03-01T00:00:00Z",
  "2025-03-01T00:00:00Z",
  "2100-03-01T00:00:00Z",
  "2026-01-31T00:00:00Z",
  "2026-04-01T00:00:00Z",
  "2026-07-01T00:00:00Z",
  "2026-10-01T00:00:00Z",
  "2027-01-01T00:00:00Z",
  "2026-11-23T00:00:00Z",
  "2026-03-29T01:00:00Z",
  "2026-11-01T06:00:00Z",
].map((text) => Date.parse(text));
const anyInstant = fc.oneof(
  fc.tuple(fc.constantFrom(...edges), fc.integer({ min: -3, max: 3 })).map(([edge, offset]) => edge + offset),
  fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2199, 11, 31) }),
);
/** All but that of a prepaid budget, whose window has no end. */
const anyDuration = fc.constantFrom(...ResetDuration.options.filter((option) => option !== "never"));
const anyMonthly = fc.constantFrom<[ResetDuration, number]>(["1M", 1], ["1Q", 3], ["1Y", 12]);
const anyFixed = fc.constantFrom<[ResetDuration, number]>(
  ["1m", 60_000],
  ["1h", 3_600_000],
  ["1d", day],
  ["1w", 7 * day],
);
const runs = { numRuns: 500 };

/** Whole months since year 0. */
function countMonths(instant: number): number {
  const date = new Date(instant);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function dayOfMonth(instant: number): number {
  return new Date(instant).getUTCDate();
}

describe("every window", () => {
  it("holds the instant at which it opens", () => {
    fc.assert(
      fc.property(anyInstant, anyDuration, fc.boolean(), (now, duration, isCalendar) => {
        const { start, end } = openWindow(now, duration, isCalendar);
        expect([start <= now, now < end]).toEqual([true, true]);
      }),
      runs,
    );
  });
});

describe("a window aligned to the calendar", () => {
  it("is the same for every instant in it", () => {
    fc.assert(
      fc.property(anyInstant, anyDuration, fc.double({ min: 0, max: 1, noNaN: true }), (now, duration, share) => {
        const window = openWindow(now, duration, true);
        const other = Math.min(window.end - 1, window.start + Math.floor(share * (window.end - window.start)));
        expect(openWindow(other, duration, true)).toEqual(window);
      }),
      runs,
    );
  });

  it("is followed by the next without a gap, and follows the one before", () => {
    fc.assert(
      fc.property(anyInstant, anyDuration, (now, duration) => {
        const window = openWindow(now, duration, true);
        expect(openWindow(window.end, duration, true).start).toBe(window.end);
        expect(openWindow(window.start - 1, duration, true).end).toBe(window.start);
      }),
      runs,
    );
  });

  it("of a minute, an hour or a day starts at a multiple of its length", () => {
    fc.assert(
      fc.property(anyInstant, anyFixed, (now, [duration, length]) => {
        if (duration !== "1w") expect(openWindow(now, duration, true).start % length).toBe(0);
      }),
      runs,
    );
  });

  it("of a week starts on a Monday at midnight and lasts seven days", () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const { start, end } = openWindow(now, "1w", true);
        expect([new Date(start).getUTCDay(), Math.abs(start % day), end - start]).toEqual([1, 0, 7 * day]);
      }),
      runs,
    );
  });

  it("of months starts at midnight of a first day, in a month that its length divides, and ends so many months later", () => {
    fc.assert(
      fc.property(anyInstant, anyMonthly, (now, [duration, months]) => {
        const { start, end } = openWindow(now, duration, true);
        expect([dayOfMonth(start), dayOfMonth(end), Math.abs(start % day), end % day]).toEqual([1, 1, 0, 0]);
        expect(countMonths(start) % months).toBe(0);
        expect(countMonths(end) - countMonths(start)).toBe(months);
      }),
      runs,
    );
  });
});

describe("a rolling window", () => {
  it("starts with the first use", () => {
    fc.assert(
      fc.property(anyInstant, anyDuration, (now, duration) => {
        expect(openWindow(now, duration, false).start).toBe(now);
      }),
      runs,
    );
  });

  it("of a minute, an hour, a day or a week lasts exactly so long", () => {
    fc.assert(
      fc.property(anyInstant, anyFixed, (now, [duration, length]) => {
        expect(openWindow(now, duration, false).end).toBe(now + length);
      }),
      runs,
    );
  });

  it("of months ends that many months later at the same time of day", () => {
    fc.assert(
      fc.property(anyInstant, anyMonthly, (now, [duration, months]) => {
        const { end } = openWindow(now, duration, false);
        expect(countMonths(end) - countMonths(now)).toBe(months);
        expect(end % day).toBe(now % day);
      }),
      runs,
    );
  });

  it("of months ends on the same day of the month, or on the last one of a shorter month", () => {
    fc.assert(
      fc.property(anyInstant, anyMonthly, (now, [duration]) => {
        const { end } = openWindow(now, duration, false);
        const isLastDay = dayOfMonth(end + day) === 1;
        if (dayOfMonth(end) !== dayOfMonth(now)) {
          expect(isLastDay).toBe(true);
          expect(dayOfMonth(end)).toBeLessThan(dayOfMonth(now));
        }
      }),
      runs,
    );
  });
});
