import { describe, expect, it } from "vitest";
import { localSpans, queryLocally } from "../../../src/cli/usage/local-days.ts";
import { reportRow } from "../../../src/engine/metering/usage/report.ts";
import { noSums } from "../../../src/engine/metering/usage/sums.ts";

const at = (text: string) => Date.parse(text);
const berlin = { timezone: "Europe/Berlin", isMonthly: false };

describe("the days of a time zone", () => {
  it("begin at local midnight, and are 23 or 25 hours long where the clock changes", () => {
    const spans = localSpans({ ...berlin, from: at("2026-10-23T22:00:00Z"), to: at("2026-10-26T12:00:00Z") });
    expect(spans.map(({ day, from, to }) => [day, (to - from) / 3_600_000])).toEqual([
      ["2026-10-24", 24],
      ["2026-10-25", 25],
      ["2026-10-26", 13],
    ]);
    const [spring] = localSpans({ ...berlin, from: at("2026-03-28T23:00:00Z"), to: at("2026-03-30T00:00:00Z") });
    expect(spring).toMatchObject({ day: "2026-03-29", to: at("2026-03-29T22:00:00Z") });
  });

  it("cover a period without a gap and without a part twice", () => {
    const [from, to] = [at("2026-02-27T03:04:05Z"), at("2026-04-02T01:00:00Z")];
    for (const timezone of ["Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC"])
      for (const isMonthly of [false, true]) {
        const spans = localSpans({ timezone, isMonthly, from, to });
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, to]);
        for (const [position, span] of spans.entries())
          expect(span.from).toBe(position === 0 ? from : spans[position - 1]?.to);
        expect(new Set(spans.map(({ day }) => day)).size).toBe(spans.length);
      }
  });

  it("are asked for one by one, grouped by all else", async () => {
    const asked: object[] = [];
    const usage = {
      query: async (question: object) => {
        asked.push(question);
        return [reportRow({ ...noSums(), group: { model: "a/m" } })];
      },
    };
    const rows = await queryLocally(usage, {
      timezone: "Europe/Berlin",
      from: at("2026-11-24T23:00:00Z"),
      to: at("2026-11-26T23:00:00Z"),
      group_by: ["day", "model"],
      filters: {},
    });
    expect(rows.map(({ group }) => group)).toEqual([
      { model: "a/m", day: "2026-11-25" },
      { model: "a/m", day: "2026-11-26" },
    ]);
    expect(asked).toMatchObject([{ group_by: ["model"], to: at("2026-11-25T23:00:00Z") }, {}]);
  });

  it("are refused for a zone that there is not", () => {
    expect(() => localSpans({ timezone: "Mars/Olympus", isMonthly: false, from: 0, to: 1 })).toThrow(
      /--timezone must be/,
    );
  });
});
