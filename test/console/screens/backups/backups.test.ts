import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BackupEntry, chainOf, daysOf } from "../../../../console/src/screens/backups/chain.ts";
import { cronWords, nextRuns, readCron } from "../../../../console/src/screens/backups/cron.ts";

const read = (expression: string) => {
  const schedule = readCron(expression);
  if (!schedule) throw new Error(`${expression} is not read.`);
  return schedule;
};

const at = (instant: string) => Date.parse(instant);

describe("a schedule", () => {
  it("runs in order, after the instant, at its own minutes, hours and days", () => {
    const number = (least: number, most: number) => fc.integer({ min: least, max: most });
    const fields = fc.tuple(number(0, 59), number(0, 23), fc.option(number(1, 28)), fc.option(number(0, 6)));
    fc.assert(
      fc.property(
        fields,
        fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
        (field, after) => {
          const [minute, hour, day, weekday] = field;
          const expression = `${minute} ${hour} ${day ?? "*"} * ${weekday ?? "*"}`;
          const runs = nextRuns(read(expression), after.getTime(), 5);
          expect(runs).toHaveLength(5);
          expect([...runs].sort((one, other) => one - other)).toEqual(runs);
          for (const run of runs.map((one) => new Date(one))) {
            expect(run.getTime()).toBeGreaterThan(after.getTime());
            expect([run.getUTCMinutes(), run.getUTCHours()]).toEqual([minute, hour]);
            const [isDay, isWeekday] = [run.getUTCDate() === day, run.getUTCDay() === weekday];
            if (day !== null && weekday !== null) expect(isDay || isWeekday).toBe(true);
            else expect((day === null || isDay) && (weekday === null || isWeekday)).toBe(true);
          }
        },
      ),
    );
  });

  it("knows lists, ranges, steps, both Sundays, and February 29", () => {
    const first = (expression: string, count = 2) =>
      nextRuns(read(expression), at("2026-01-01T00:00:00Z"), count).map((run) =>
        new Date(run).toISOString().slice(0, 16),
      );
    expect(first("0,30 1-2 * * *", 4)).toEqual([
      ...["2026-01-01T01:00", "2026-01-01T01:30", "2026-01-01T02:00", "2026-01-01T02:30"],
    ]);
    expect(first("0 */12 * * *")).toEqual(["2026-01-01T12:00", "2026-01-02T00:00"]);
    expect(first("0 3 * * 7")).toEqual(first("0 3 * * 0"));
    expect(first("0 0 29 2 *", 1)).toEqual(["2028-02-29T00:00"]);
    expect(first("0 0 31 2 *")).toEqual([]);
  });

  it("that is none is not read", () => {
    for (const expression of [
      "",
      "* * * *",
      "60 * * * *",
      "* 24 * * *",
      "*/0 * * * *",
      "a * * * *",
      "5-1 * * * *",
      "@daily",
    ])
      expect(readCron(expression), expression).toBeUndefined();
  });

  it("is said in words where there are short ones", () => {
    expect(cronWords(read("5 2 * * *"))).toEqual({ kind: "daily", time: "02:05" });
    expect(cronWords(read("0 3 * * 7"))).toEqual({ kind: "weekly", time: "03:00", weekday: 0 });
    expect(cronWords(read("0 3 1 * *"))).toEqual({ kind: "other" });
  });
});

const backupOf = (day: number, is_full: boolean, rest: Partial<BackupEntry> = {}): BackupEntry => ({
  ...{ id: `b${day}`, resource_id: "v", resource_type: "volume", is_full, is_available: true, state: "available" },
  ...{
    manual: false,
    retries: 0,
    encrypted: false,
    processed_date: `2026-01-${String(day).padStart(2, "0")}T02:00:00Z`,
  },
  ...rest,
});

describe("the chain of a backup", () => {
  const all = [
    backupOf(4, false),
    backupOf(1, true),
    backupOf(2, false),
    backupOf(3, true),
    backupOf(9, false, { resource_id: "w" }),
  ];
  const ids = (day: number) => {
    const found = all.find(({ id }) => id === `b${day}`);
    return found && chainOf(found, all).map(({ id }) => id);
  };

  it("begins with its full backup and ends before the next", () => {
    expect([ids(1), ids(2), ids(3), ids(4)]).toEqual([
      ["b1", "b2"],
      ["b1", "b2"],
      ["b3", "b4"],
      ["b3", "b4"],
    ]);
    const waiting = backupOf(5, false, { is_available: false });
    expect(chainOf(waiting, [...all, waiting])).toEqual([waiting]);
  });
});

describe("the calendar", () => {
  it("marks days without a backup since the first one, and neither those before it nor today", () => {
    const backups = [backupOf(3, true), backupOf(5, false), backupOf(6, false, { is_available: false })];
    const days = daysOf(backups, 7, at("2026-01-08T10:00:00Z"));
    expect(days.map(({ isGap }) => isGap)).toEqual([false, false, true, false, true, true, false]);
    expect(days.map(({ backups: own }) => own.length)).toEqual([0, 1, 0, 1, 1, 0, 0]);
  });
});
