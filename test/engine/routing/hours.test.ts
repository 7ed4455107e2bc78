import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Day, formatMinute, type Hours, isWithin, parseMinute } from "../../../src/engine/routing/hours.ts";

const at = (text: string) => Date.parse(text);
const days: readonly Day[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const minuteMs = 60_000;
const anyTime = fc.integer({ min: 0, max: 4_102_444_800_000 });
const anyMinute = fc.nat({ max: 1_439 });
const write = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

describe("parseMinute", () => {
  it.each([
    ["00:00", 0],
    ["08:30", 510],
    ["23:59", 1_439],
    ["24:00", 1_440],
  ])("%s is minute %i", (text, minute) => {
    expect(parseMinute(text)).toBe(minute);
  });
  it.each(["", "8:30", "24:01", "25:00", "12:60", "12:3", "noon", "12:30:00", " 12:30"])("refuses %j", (text) => {
    expect(parseMinute(text)).toBeUndefined();
  });
});

describe("isWithin", () => {
  // 2026-11-20 is a Friday.
  it.each<[Hours, string, boolean]>([
    [{ from: "08:00", to: "18:00" }, "2026-11-20T08:00:00Z", true],
    [{ from: "08:00", to: "18:00" }, "2026-11-20T07:59:59.999Z", false],
    [{ from: "08:00", to: "18:00" }, "2026-11-20T17:59:59.999Z", true],
    [{ from: "08:00", to: "18:00" }, "2026-11-20T18:00:00Z", false],
    [{ from: "08:00", to: "18:00", days: ["fri"] }, "2026-11-20T12:00:00Z", true],
    [{ from: "08:00", to: "18:00", days: ["sat", "sun"] }, "2026-11-20T12:00:00Z", false],
    [{ from: "22:00", to: "06:00" }, "2026-11-20T23:00:00Z", true],
    [{ from: "22:00", to: "06:00" }, "2026-11-20T05:59:00Z", true],
    [{ from: "22:00", to: "06:00" }, "2026-11-20T12:00:00Z", false],
    [{ from: "22:00", to: "06:00", days: ["fri"] }, "2026-11-21T05:00:00Z", true],
    [{ from: "22:00", to: "06:00", days: ["sat"] }, "2026-11-21T05:00:00Z", false],
    [{ from: "22:00", to: "06:00", days: ["sat"] }, "2026-11-22T05:00:00Z", true],
    [{ from: "00:00", to: "24:00" }, "2026-11-20T23:59:59Z", true],
    [{ from: "09:00", to: "09:00" }, "2026-11-20T03:00:00Z", true],
    [{ from: "soon", to: "24:00" }, "2026-11-20T12:00:00Z", false],
  ])("%j holds %s: %s", (hours, time, expected) => {
    expect(isWithin(hours, at(time))).toBe(expected);
  });
  it("a window and what is left of the day hold every time, and never both", () =>
    fc.assert(
      fc.property(anyMinute, anyMinute, anyTime, (from, to, now) => {
        fc.pre(from !== to);
        const [one, other] = [write(from), write(to)];
        expect(isWithin({ from: one, to: other }, now)).toBe(!isWithin({ from: other, to: one }, now));
      }),
    ));
  it("windows of one day each hold what the window of every day holds", () =>
    fc.assert(
      fc.property(anyMinute, anyMinute, anyTime, (from, to, now) => {
        const window = { from: write(from), to: write(to) };
        const holding = days.filter((day) => isWithin({ ...window, days: [day] }, now));
        expect(holding).toHaveLength(isWithin(window, now) ? 1 : 0);
      }),
    ));
  it("knows the day of the week as Date does", () =>
    fc.assert(
      fc.property(anyTime, (now) => {
        const day = days[new Date(now).getUTCDay()] as Day;
        expect(isWithin({ from: "00:00", to: "24:00", days: [day] }, now)).toBe(true);
        expect(formatMinute(now)).toBe(`${day} ${new Date(now - (now % minuteMs)).toISOString().slice(11, 16)}`);
      }),
    ));
});
