import fc from "fast-check";
import { expect, test } from "vitest";
import { nextRun } from "../../../src/portal/backups/planning/schedule.ts";
import { zonedClock } from "../../../src/portal/schedules/zoned-clock.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const stepMs = 15 * minuteMs;

/** Zones whose clocks change by an hour, by half an hour, at midnight, in the south, and never. */
const zones = [
  "Europe/Rome",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "UTC",
];

/** One a zone: each takes memory outside of the heap, 3 GB for the hours of these years. */
const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
  ]),
);

/** What the clocks of a zone show, read another way than the code does. */
function readAt(at: number, timeZone: string): number {
  const shown = formats.get(timeZone)?.format(at) ?? "";
  return Date.parse(`${shown.replace(" ", "T")}Z`);
}

/** An instant within two days of a change of the clocks of the year 2026, or any other one. */
function instantsOf(zone: string): fc.Arbitrary<number> {
  const start = Date.UTC(2026, 0, 1);
  const changes: number[] = [];
  for (let at = start; at < start + 365 * dayMs; at += hourMs)
    if (readAt(at, zone) - at !== readAt(at + hourMs, zone) - at - hourMs) changes.push(at);
  const steps = fc.integer({ min: -192, max: 96 });
  const anywhere = fc.nat(365 * 96).map((step) => start + step * stepMs);
  if (changes.length === 0) return anywhere;
  const nearby = fc.tuple(fc.constantFrom(...changes), steps).map(([at, step]) => at + step * stepMs);
  return fc.oneof({ weight: 4, arbitrary: nearby }, { weight: 1, arbitrary: anywhere });
}

const startable = new Map(zones.map((zone) => [zone, instantsOf(zone)]));
const anyCase = fc.constantFrom(...zones).chain((timezone) =>
  fc.record({
    timezone: fc.constant(timezone),
    after: startable.get(timezone) ?? fc.constant(0),
    minutes: fc.uniqueArray(fc.constantFrom(0, 15, 30, 45), { minLength: 1 }),
    hours: fc.uniqueArray(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.nat(23)), { minLength: 1, maxLength: 4 }),
    window: fc.integer({ min: 1, max: 24 }),
    startingHour: fc.nat(23),
  }),
);

test("a run begins when the clocks first show a named reading, and at the skip where they never show it", () => {
  fc.assert(
    fc.property(anyCase, ({ timezone, after, minutes, hours, window, startingHour }) => {
      const times = hours.flatMap((hour) => minutes.map((minute) => (hour * 60 + minute) * minuteMs));
      const isInside = (time: number) => (time - startingHour * hourMs + dayMs) % dayMs < window * hourMs;
      const inside = times.filter(isInside);
      const named = new Set(inside.length > 0 ? inside : [startingHour * hourMs]);
      let latest = Math.max(...[12, 8, 4, 3, 2, 1, 0].map((step) => readAt(after - step * stepMs, timezone)));
      let expected = after;
      search: for (;;) {
        expected += stepMs;
        const reading = readAt(expected, timezone);
        for (let passed = latest + stepMs; passed <= reading; passed += stepMs)
          if (named.has(passed % dayMs)) break search;
        latest = Math.max(latest, reading);
      }
      const schedule = `${minutes} ${hours} * * *`;
      const found = nextRun({ schedule, timezone, window, startingHour }, after);
      expect(new Date(found).toISOString()).toBe(new Date(expected).toISOString());
    }),
    { numRuns: 400 },
  );
});

test("an instant's reading leads back to the instant, or to the first one with that reading", () => {
  const anyInstant = fc
    .constantFrom(...zones)
    .chain((zone) => fc.tuple(fc.constant(zone), startable.get(zone) ?? fc.constant(0)));
  fc.assert(
    fc.property(anyInstant, ([zone, at]) => {
      const clock = zonedClock(zone);
      expect(clock.read(at)).toBe(readAt(at, zone));
      const first = clock.instantOf(clock.read(at));
      expect(clock.read(first)).toBe(clock.read(at));
      expect(first).toBeLessThanOrEqual(at);
      expect(at - first).toBeLessThanOrEqual(hourMs);
    }),
    { numRuns: 400 },
  );
});
