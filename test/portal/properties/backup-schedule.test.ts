import fc from "fast-check";
import { expect, test } from "vitest";
import { nextRun } from "../../../src/portal/backups/planning/schedule.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const anySchedule = fc.record({
  minute: fc.oneof(fc.constant(0), fc.nat(59)),
  hours: fc.uniqueArray(fc.oneof(fc.constant(0), fc.nat(23)), { minLength: 1, maxLength: 3 }),
  days: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 7 }),
});
const anyCalendar = fc.record({
  schedule: anySchedule,
  window: fc.integer({ min: 1, max: 24 }),
  startingHour: fc.nat(23),
});
const inHours = (year: number) => Date.UTC(year, 0, 1) / hourMs;
const anyInstant = fc
  .tuple(
    fc.integer({ min: inHours(2026), max: inHours(2027) }),
    fc.oneof(fc.constant(0), fc.integer({ max: hourMs, min: -1 })),
  )
  .map(([hour, more]) => hour * hourMs + more);

test("a backup begins at the first minute that its schedule names in its window, else with a window of a day it names", () => {
  fc.assert(
    fc.property(anyCalendar, anyInstant, ({ schedule: { minute, hours, days }, window, startingHour }, after) => {
      const isNamed = (at: number) => days.includes(new Date(at).getUTCDay());
      const isInside = (hour: number) => (hour - startingHour + 24) % 24 < window;
      const inside = hours.filter(isInside).map((hour) => hour * hourMs + minute * minuteMs);
      const begins = inside.length > 0 ? inside : [startingHour * hourMs];
      const today = Math.floor(after / dayMs) * dayMs;
      const expected = Array.from({ length: 9 }, (_, day) => today + day * dayMs)
        .filter(isNamed)
        .flatMap((day) => begins.map((begin) => day + begin))
        .filter((at) => at > after);
      const told = nextRun({ schedule: `${minute} ${hours} * * ${days}`, window, startingHour }, after);
      expect(new Date(told).toISOString()).toBe(new Date(Math.min(...expected)).toISOString());
    }),
    { numRuns: 1_000 },
  );
});
