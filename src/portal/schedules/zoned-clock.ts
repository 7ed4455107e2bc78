/** The wall clock of a time zone. Readings are milliseconds since the epoch, as if the clock showed UTC. */
export interface ZonedClock {
  /** What the clock shows at an instant. */
  read(at: number): number;
  /** The first instant at which the clock shows a reading; where the clock skips it, the instant of the skip. */
  instantOf(reading: number): number;
}

const dayMs = 86_400_000;

/** Returns the wall clock of an IANA time zone. Throws `RangeError` for an unknown one. */
export function zonedClock(timeZone: string): ZonedClock {
  if (timeZone === "UTC") return { read: (at) => at, instantOf: (reading) => reading };
  const offsetAt = offsetReader(timeZone);
  return {
    read: (at) => at + offsetAt(at),
    instantOf(reading) {
      // No zone changes its clock twice within two days.
      const [before, after] = [offsetAt(reading - dayMs), offsetAt(reading + dayMs)];
      const shown = [reading - before, reading - after].filter((at) => at + offsetAt(at) === reading);
      return shown.length > 0 ? Math.min(...shown) : findChange(reading - after, reading - before, offsetAt);
    },
  };
}

/** Finds the first instant in `(from, to]` at which the offset is no longer that of `from`. */
function findChange(from: number, to: number, offsetAt: (at: number) => number): number {
  const offset = offsetAt(from);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds. */
function offsetReader(timeZone: string): (at: number) => number {
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, calendar: "gregory", ...date, ...time });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return shown - Math.floor(at / 1_000) * 1_000;
  };
}
