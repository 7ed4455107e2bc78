import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPeriod, type Interval } from "../../../src/portal/ai/insights/intervals.ts";

const zones = ["UTC", "Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"];
const day = 86_400_000;
const periods = fc
  .record({
    from: fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) }),
    length: fc.integer({ min: 1, max: 30 * day }),
  })
  .map(({ from, length }) => ({ from, to: from + length }));
const intervals = fc.constantFrom<Interval>("hour", "day", "month");

/** The reading of a zone's wall clock, as the platform writes it. */
function readingOf(at: number, timeZone: string): string {
  return new Date(at).toLocaleString("sv-SE", { timeZone });
}

describe("a period cut into intervals", () => {
  it("is covered by them once, in order", () => {
    fc.assert(
      fc.property(periods, intervals, fc.constantFrom(...zones), (period, interval, zone) => {
        const parts = cutPeriod(period, interval, zone);
        expect(parts[0]?.from).toBe(period.from);
        expect(parts.at(-1)?.to).toBe(period.to);
        for (const [at, part] of parts.entries()) {
          expect(part.from).toBeLessThan(part.to);
          if (at > 0) expect(part.from).toBe(parts[at - 1]?.to);
        }
      }),
    );
  });

  it("is cut where a unit of the zone's calendar begins", () => {
    const begins: Readonly<Record<Interval, RegExp>> = {
      hour: /:00:00$/,
      day: / 00:00:00$/,
      month: /-01 00:00:00$/,
    };
    const whole = zones.filter((zone) => zone !== "Australia/Lord_Howe"); // its clock skips half an hour
    fc.assert(
      fc.property(periods, intervals, fc.constantFrom(...whole), (period, interval, zone) => {
        for (const { from } of cutPeriod(period, interval, zone).slice(1))
          expect(readingOf(from, zone)).toMatch(begins[interval]);
      }),
    );
  });

  it("days are never longer than 25 hours", () => {
    fc.assert(
      fc.property(periods, fc.constantFrom(...zones), (period, zone) => {
        for (const { from, to } of cutPeriod(period, "day", zone))
          expect(to - from).toBeLessThanOrEqual(25 * 3_600_000);
      }),
    );
  });

  it("is refused with more than 800 parts", () => {
    const long = { from: 0, to: 900 * day };
    expect(() => cutPeriod(long, "day", "UTC")).toThrow(/800 parts/);
  });
});
