import type { ResetDuration } from "../api/governance.ts";
import type { Window } from "../ports/counters.ts";
import { type CalendarSettings, type ZonedDuration, zonedWindow } from "./zoned-window.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** Durations of one length, whatever the date. */
const fixed: { readonly [D in ResetDuration]?: number } = { "1m": minute, "1h": hour, "1d": day, "1w": week };

/** Durations that are counted in months. */
const months: { readonly [D in ResetDuration]?: number } = { "1M": 1, "1Q": 3, "1Y": 12 };

/** The first Monday at or after the epoch, which was a Thursday. */
const firstMonday = 4 * day;

/**
 * The window that opens at `now`.
 *
 * *Aligned to the calendar* (UTC): the minute, hour or day that holds `now`; the week from Monday 00:00; the month from its first
 * day; the quarter from 1 January, 1 April, 1 July or 1 October; the year from 1 January.
 *
 * A calendar of its own has its time zone and first day of the week; `never` is one window for all time.
 *
 * *Rolling*: it starts with `now`, the first use. `1m`, `1h`, `1d` and `1w` last exactly so long. `1M`, `1Q` and `1Y` end one, three
 * or twelve months later on the same day of the month at the same time, or on that month's last day when it is shorter: from 31
 * January to 28 or 29 February, from 29 February to 28 February of the next year. The next window starts with the next use, so
 * that a shorter month never shortens the windows after it.
 */
export function openWindow(now: number, duration: ResetDuration, calendar: boolean | CalendarSettings): Window {
  if (duration === "never") return endless;
  if (calendar === false) return { start: now, end: rollingEnd(now, duration) };
  return calendar === true || !isZoned(duration)
    ? calendarWindow(now, duration)
    : zonedCalendarWindow(now, duration, calendar);
}

/** One window for all time, to the last millisecond that RFC 3339 can write. It begins at the epoch, whenever it is first used. */
const endless: Window = Object.freeze({ start: 0, end: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });

function isZoned(duration: ResetDuration): duration is ZonedDuration {
  return duration !== "1m" && duration !== "1h";
}

/** The last windows that were opened of zoned calendars, by duration and calendar. */
const lastZoned = new Map<string, Window>();
const mostZoned = 1_000;

function zonedCalendarWindow(now: number, duration: ZonedDuration, calendar: CalendarSettings): Window {
  const name = `${duration};${calendar.timezone};${calendar.weekStart}`;
  const known = lastZoned.get(name);
  if (known && now >= known.start && now < known.end) return known;
  const window = zonedWindow(now, duration, calendar);
  if (lastZoned.size >= mostZoned) lastZoned.clear();
  lastZoned.set(name, window);
  return window;
}

function rollingEnd(start: number, duration: ResetDuration): number {
  const length = fixed[duration];
  return length === undefined ? addMonths(start, months[duration] as number) : start + length;
}

/** The same time of the same day, `count` months later, or of that month's last day when it has no such day. */
function addMonths(instant: number, count: number): number {
  let last = lastAdded.get(count);
  if (!last || instant < last.midnight || instant >= last.midnight + day) {
    const midnight = instant - floorMod(instant, day);
    last = { midnight, later: laterDay(midnight, count) };
    lastAdded.set(count, last);
  }
  return last.later + (instant - last.midnight);
}

/** By the number of months: a day, and the one so much later. The calendar is asked once a day, not for every limit of every call. */
const lastAdded = new Map<number, { readonly midnight: number; readonly later: number }>();

/** The day `count` months after the one that begins at `instant`. */
function laterDay(instant: number, count: number): number {
  const date = new Date(instant);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + count;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
}

function calendarWindow(now: number, duration: ResetDuration): Window {
  const known = lastOpened.get(duration);
  if (known && now >= known.start && now < known.end) return known;
  const length = fixed[duration];
  const window =
    length === undefined ? monthsAround(now, months[duration] as number) : spanAround(now, duration, length);
  lastOpened.set(duration, window);
  return window;
}

/** The calendar is asked once a window, not with every call. */
const lastOpened = new Map<ResetDuration, Window>();

function spanAround(now: number, duration: ResetDuration, length: number): Window {
  const start = now - floorMod(duration === "1w" ? now - firstMonday : now, length);
  return { start, end: start + length };
}

function monthsAround(now: number, count: number): Window {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const first = month - (month % count);
  return { start: Date.UTC(year, first), end: Date.UTC(year, first + count) };
}

function floorMod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
