import { GatewayError } from "../../../engine/errors.ts";
import type { Period } from "../costs/period.ts";

/** The lengths of intervals. Days and months are those of the calendar in a time zone. */
export type Interval = "hour" | "day" | "month";

/** The most intervals of one answer. */
const mostIntervals = 800;

/** The wall clock of a time zone: its offset from UTC at an instant, in milliseconds. */
type OffsetAt = (at: number) => number;

/**
 * Cuts a period into intervals of a time zone's calendar; the first and the last are cut off by the period. Throws `invalid_request` for
 * more than 800 intervals.
 */
export function cutPeriod({ from, to }: Period, interval: Interval, timeZone: string): readonly Period[] {
  const offsetAt = offsetsOf(timeZone);
  const periods: Period[] = [];
  for (let start = from; start < to; ) {
    if (periods.length === mostIntervals)
      throw invalid("interval", `must not cut the period into more than ${mostIntervals} parts`);
    const end = Math.min(to, endOf(start, interval, offsetAt));
    periods.push({ from: start, to: end });
    start = end;
  }
  return periods;
}

/** How the ledger writes an interval, and what an instant at its beginning ends with. */
const calendar = {
  hour: { length: 13, end: ":00:00.000Z" },
  day: { length: 10, end: "T00:00:00.000Z" },
  month: { length: 7, end: "-01T00:00:00.000Z" },
} as const satisfies Record<Interval, object>;

/** Returns how the ledger names the interval of an instant; undefined where the parts are not those of its UTC calendar, save for where the first one begins. */
export function nameInterval(parts: readonly Period[], interval: Interval): ((at: number) => string) | undefined {
  const { length, end } = calendar[interval];
  const isInCalendar = ({ from }: Period) => new Date(from).toISOString().endsWith(end);
  return parts.slice(1).every(isInCalendar) ? (at) => new Date(at).toISOString().slice(0, length) : undefined;
}

/** Returns the instant at which the interval of an instant ends. */
function endOf(at: number, interval: Interval, offsetAt: OffsetAt): number {
  const local = new Date(at + offsetAt(at));
  const [year, month, day, hour] = [
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCHours(),
  ];
  if (interval === "hour") return toInstant(Date.UTC(year, month, day, hour + 1), offsetAt, at);
  const next = interval === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1);
  return toInstant(next, offsetAt, at);
}

/** Returns the instant of a wall clock's reading after `at`. Where the clock skips it, the instant of the skip. */
function toInstant(reading: number, offsetAt: OffsetAt, at: number): number {
  const skip = reading - offsetAt(at);
  const guess = reading - offsetAt(skip);
  return guess > at ? guess : Math.max(at + 1, skip);
}

function offsetsOf(timeZone: string): OffsetAt {
  if (timeZone === "UTC") return () => 0;
  const format = formatOf(timeZone);
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  return new Intl.DateTimeFormat("en-US", { timeZone, ...fields, second: "numeric", hourCycle: "h23" });
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
