import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../../../console/src/format/csv.ts";
import { forecastMonth, runsOutAt, windowMs } from "../../../../console/src/format/forecast.ts";
import { rowHeight, windowOf } from "../../../../console/src/parts/long-table/row-window.ts";

/** Reads CSV as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[at++];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === "," || text.startsWith("\r\n", at))) {
      rows.at(-1)?.push(cell);
      cell = "";
      if (letter === "\r") {
        at++;
        rows.push([]);
      }
    } else cell += letter;
  }
  return rows.slice(0, -1);
}

const columns = [
  { name: "a", value: (row: readonly string[]) => row[0] },
  { name: "b", value: (row: readonly string[]) => row[1] },
];

describe("a file of rows", () => {
  it("is read back as it was, but for texts that a spreadsheet would run", () => {
    const text = fc.string().filter((one) => !one.includes("\r") && !/^[=+\-@\t]/.test(one));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        expect(readCsv(toCsv(columns, rows))).toEqual([["a", "b"], ...rows]);
      }),
    );
  });

  it("holds no formula", () => {
    fc.assert(
      fc.property(fc.constantFrom("=", "+", "-", "@", "\t"), fc.string(), (sign, rest) => {
        const [, [cell = ""] = []] = readCsv(toCsv(columns, [[sign + rest.replaceAll("\r", ""), ""]]));
        expect(cell.startsWith("'")).toBe(true);
      }),
    );
  });
});

const day = 86_400_000;
const now = Date.UTC(2026, 10, 16, 12);

describe("when a limit runs out", () => {
  it("is where its use leads, if that is before it begins anew", () => {
    const resetsAt = now + 15 * day;
    const at = runsOutAt({ used: 80, max: 100, duration: "1M", resetsAt }, now);
    expect(at).toBe(now + (20 * 15 * day) / 80);
    expect(runsOutAt({ used: 40, max: 100, duration: "1M", resetsAt }, now)).toBeUndefined();
    expect(runsOutAt({ used: 100, max: 100, duration: "1M", resetsAt }, now)).toBe(now);
    expect(runsOutAt({ used: 0, max: 100, duration: "1M", resetsAt }, now)).toBeUndefined();
  });

  it("lies between now and the end of the window", () => {
    const amount = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 30 * day }), (used, max, left) => {
        const at = runsOutAt({ used, max, duration: "1M", resetsAt: now + left }, now) ?? now;
        expect(at).toBeGreaterThanOrEqual(now);
        expect(at).toBeLessThanOrEqual(now + left);
      }),
    );
  });

  it("is not known for a window that is none", () => {
    expect([windowMs("1h"), windowMs("2w"), windowMs("soon")]).toEqual([3_600_000, 14 * day, undefined]);
  });
});

describe("the forecast of a month", () => {
  it("of an even use is that use for each of its days", () => {
    const days = Array.from({ length: 40 }, (_unused, back) => ({ at: Date.UTC(2026, 10, 15) - back * day, value: 2 }));
    const today = { at: Date.UTC(2026, 10, 16), value: 1 }; // half of the day has passed
    expect(forecastMonth([today, ...days], now)).toBeCloseTo(60);
  });

  it("expects of each day what its weekday used", () => {
    const days = Array.from({ length: 28 }, (_unused, back) => {
      const at = Date.UTC(2026, 10, 15) - back * day;
      return { at, value: new Date(at).getUTCDay() === 0 ? 0 : 1 };
    });
    const sundays = [1, 8, 15, 22, 29];
    expect(forecastMonth([{ at: Date.UTC(2026, 10, 16), value: 0.5 }, ...days], now)).toBeCloseTo(30 - sundays.length);
  });

  it("is not known without any day", () => {
    expect(forecastMonth([], now)).toBeUndefined();
  });
});

it("the rows in a page hold those in view, and are few however long the list is", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(5_000_000), fc.integer({ min: 1, max: 2_000 }), (count, scrolled, height) => {
      const { from, to } = windowOf(scrolled, height, count);
      const top = Math.min(scrolled, Math.max(0, count * rowHeight - height));
      expect(from).toBeLessThanOrEqual(Math.floor(top / rowHeight) + (scrolled > top ? count : 0));
      expect(to).toBeLessThanOrEqual(count);
      expect(to - from).toBeLessThan(100);
      if (scrolled === top)
        expect(to).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((scrolled + height) / rowHeight)));
    }),
  );
});
