import type { Window } from "../ports/counters.ts";

/** The calendar that windows are aligned to. */
export interface CalendarSettings {
  /** An IANA name; UTC when absent. */
  readonly timezone?: string | undefined;
  /** Monday when absent. */
  readonly weekStart?: "monday" | "sunday" | "saturday" | undefined;
}

/** Durations of the calendar that differ by time zone, or by the first day of the week. */
export type ZonedDuration = "1d" | "1w" | "1M" | "1Q" | "1Y";

const hour = 3_600_000;
const day = 24 * hour;
/** No time zone is further from UTC. */
const furthest = 16 * hour;

const months: { readonly [D in ZonedDuration]?: number } = { "1M": 1, "1Q": 3, "1Y": 12 };
/** Days from Thursday, the day of the epoch, to the first day of the week. */
const firstDays = { monday: 4, sunday: 3, saturday: 2 } as const;

/**
 * The window of a time zone's calendar that holds `now`: it ends where the next one begins. A day begins with the first instant of its
 * date, also where the clocks skip midnight.
 */
export function zonedWindow(now: number, duration: ZonedDuration, settings: CalendarSettings): Window {
  const { timezone = "UTC", weekStart = "monday" } = settings;
  const dateAt = dateReader(timezone);
  const span = { duration, weekStart };
  let first = firstDate(dateAt(now), span);
  let window = { start: beginning(first, dateAt), end: beginning(nextDate(first, duration), dateAt) };
  // Where the clocks go back over midnight, an instant may bear a date that is over, or has not begun.
  while (now >= window.end || now < window.start) {
    first = now >= window.end ? nextDate(first, duration) : firstDate(first - day, span);
    window = { start: beginning(first, dateAt), end: beginning(nextDate(first, duration), dateAt) };
  }
  return window;
}

interface ZonedSpan {
  readonly duration: ZonedDuration;
  readonly weekStart: keyof typeof firstDays;
}

/** The first date of the span that holds a date. Dates are midnights of UTC. */
function firstDate(date: number, { duration, weekStart }: ZonedSpan): number {
  if (duration === "1d") return date;
  if (duration === "1w") {
    const since = Math.floor(date / day) - firstDays[weekStart];
    return date - (((since % 7) + 7) % 7) * day;
  }
  const found = new Date(date);
  const month = found.getUTCMonth();
  return Date.UTC(found.getUTCFullYear(), month - (month % (months[duration] ?? 1)));
}

function nextDate(first: number, duration: ZonedDuration): number {
  if (duration === "1d") return first + day;
  if (duration === "1w") return first + 7 * day;
  const found = new Date(first);
  return Date.UTC(found.getUTCFullYear(), found.getUTCMonth() + (months[duration] ?? 1));
}

/** The first instant of a date, to the millisecond. */
function beginning(date: number, dateAt: (at: number) => number): number {
  let before = date - furthest;
  let after = date + furthest;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateAt(middle) >= date) after = middle;
    else before = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Reads the date of an instant in a time zone. */
function dateReader(timeZone: string): (at: number) => number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      year: "numeric",
      month: "numeric",
      day: "numeric",
    });
  formats.set(timeZone, format);
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day"));
  };
}
