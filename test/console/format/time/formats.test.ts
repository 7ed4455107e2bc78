import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactMoney, money } from "../../../../console/src/format/money.ts";
import { compact, count, duration, percent } from "../../../../console/src/format/numbers.ts";
import { exactTime, relativeTime, resolveTime, toMs } from "../../../../console/src/format/time.ts";

describe("money", () => {
  it("is exact in the tooltip: every nano-dollar of an amount is there", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (nano) => {
        const written = exactMoney(nano / 1e9);
        const [, sign, whole = "", decimals = ""] = /^(−?)\$(\d+)\.(\d{2,9})$/.exec(written) ?? [];
        const read = BigInt(whole + decimals.padEnd(9, "0"));
        expect(sign === "" ? read : -read).toBe(BigInt(nano));
      }),
    );
  });

  it.each([
    [0, "$0"],
    [1234.5, "$1,234.50"],
    [0.0412, "$0.0412"],
    [0.000021, "$0.000021"],
    [0.000_000_9, "<$0.000001"],
    [-3, "−$3.00"],
  ])("of %d reads %s in a table", (dollars, written) => expect(money(dollars)).toBe(written));
});

describe("numbers", () => {
  it.each([
    [duration(12), "12 ms"],
    [duration(2_400), "2.40 s"],
    [duration(180_000), "3 min"],
    [duration(7_200_000), "2 h"],
    [count(1_234_567), "1,234,567"],
    [count(1_234_567, "de"), "1.234.567"],
    [compact(12_400), "12.4K"],
    [percent(0.031), "3.1%"],
    [percent(0.5), "50%"],
  ])("%s", (written, expected) => expect(written).toBe(expected));
});

describe("time", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  it("is read from instants, seconds and milliseconds", () => {
    expect([toMs("2026-03-01T12:00:00Z"), toMs(now), toMs(now / 1_000)]).toEqual([now, now, now]);
  });

  it("is shown in the page's zone", () => {
    expect(exactTime(now, "en", "Asia/Tokyo")).toContain("9:00:00");
    expect(exactTime(now, "en", "UTC")).toContain("12:00:00");
  });

  it("is said in the largest unit that fits", () => {
    const ago = (ms: number) => relativeTime(now - ms, now);
    expect([ago(5_000), ago(300_000), ago(7_200_000), ago(172_800_000)]).toEqual([
      "5 sec. ago",
      "5 min. ago",
      "2 hr. ago",
      "2 days ago",
    ]);
  });

  it("in an address is an instant or a span before now, and nothing else", () => {
    expect(resolveTime("-24h", now)).toBe("2026-02-28T12:00:00.000Z");
    expect(resolveTime("-7d", now)).toBe("2026-02-22T12:00:00.000Z");
    expect(resolveTime("2026-01-02T03:04:05Z", now)).toBe("2026-01-02T03:04:05.000Z");
    expect([resolveTime("", now), resolveTime("-1y", now), resolveTime("soon", now)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
