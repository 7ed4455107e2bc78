import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ZonedDuration, zonedWindow } from "../../../../src/engine/policy/zoned-window.ts";

/** Zones with odd offsets, with clocks that change at midnight, and with a date that was skipped (Apia, 30 December 2011). */
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "America/Havana",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Beirut",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Australia/Lord_Howe",
];
const day = 86_400_000;
const anyNow = fc.integer({ min: Date.parse("2005-01-01T00:00:00Z"), max: Date.parse("2040-01-01T00:00:00Z") });
const anyCalendar = fc.record({
  timezone: fc.constantFrom(...zones),
  weekStart: fc.constantFrom("monday", "sunday", "saturday" as const),
});
const anyDuration = fc.constantFrom<ZonedDuration>("1d", "1w", "1M", "1Q", "1Y");
const dateOf = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);
const runs = { numRuns: 400 };

describe("windows of a time zone's calendar", () => {
  it("hold the present, and follow each other without a gap", () =>
    fc.assert(
      fc.property(anyNow, anyDuration, anyCalendar, (now, duration, calendar) => {
        const window = zonedWindow(now, duration, calendar);
        expect(window.start <= now && now < window.end).toBe(true);
        expect(zonedWindow(window.end, duration, calendar).start).toBe(window.end);
        expect(zonedWindow(window.start - 1, duration, calendar).end).toBe(window.start);
      }),
      runs,
    ));

  it("are the same for every instant that they hold", () =>
    fc.assert(
      fc.property(
        anyNow,
        anyDuration,
        anyCalendar,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (now, ...[duration, calendar, part]) => {
          const window = zonedWindow(now, duration, calendar);
          const other = window.start + Math.floor((window.end - 1 - window.start) * part);
          expect(zonedWindow(other, duration, calendar)).toEqual(window);
        },
      ),
      runs,
    ));

  it("begin with the first instant of a date: of the day, the week's first, the month's, the quarter's, the year's", () =>
    fc.assert(
      fc.property(anyNow, anyDuration, anyCalendar, (now, duration, calendar) => {
        const { start } = zonedWindow(now, duration, calendar);
        const date = dateOf(start, calendar.timezone);
        expect(dateOf(start - 1, calendar.timezone)).not.toBe(date);
        // Apia has no 30 December 2011: what would begin on it begins with the next date.
        if (date === "2011-12-31" && calendar.timezone === "Pacific/Apia") return;
        if (duration === "1w")
          expect(new Date(`${date}T00:00:00Z`).getUTCDay()).toBe(
            { monday: 1, sunday: 0, saturday: 6 }[calendar.weekStart],
          );
        if (duration === "1M") expect(date).toMatch(/-01$/);
        if (duration === "1Q") expect(date).toMatch(/-(?:01|04|07|10)-01$/);
        if (duration === "1Y") expect(date).toMatch(/-01-01$/);
      }),
      runs,
    ));

  it("are as long as the date: 23 and 25 hours where the clocks change", () => {
    const berlin = { timezone: "Europe/Berlin" };
    const hours = (now: string) => {
      const { start, end } = zonedWindow(Date.parse(now), "1d", berlin);
      return (end - start) / 3_600_000;
    };
    expect([hours("2026-03-29T12:00:00Z"), hours("2026-10-25T12:00:00Z"), hours("2026-06-01T12:00:00Z")]).toEqual([
      23, 25, 24,
    ]);
    expect(zonedWindow(Date.parse("2026-11-20T23:30:00Z"), "1d", berlin).start).toBe(
      Date.parse("2026-11-20T23:00:00Z"),
    );
    expect(zonedWindow(Date.parse("2026-11-26T12:00:00Z"), "1w", { weekStart: "sunday" })).toEqual({
      start: Date.parse("2026-11-22T00:00:00Z"),
      end: Date.parse("2026-11-22T00:00:00Z") + 7 * day,
    });
  });
});
