import { isSchedule, nextInstant, readingsOf } from "../../schedules/cron.ts";
import { zonedClock } from "../../schedules/zoned-clock.ts";

export { isSchedule };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When a resource may be backed up, by the wall clock of a time zone. */
export interface Calendar {
  /** Cron, five fields. */
  readonly schedule: string;
  /** Hours from `startingHour` in which a backup may begin. */
  readonly window: number;
  /** Hour of the day. */
  readonly startingHour: number;
  /** The IANA name of the time zone. Default: `UTC`. */
  readonly timezone?: string | undefined;
}

/** The first instant after `after` that a calendar has, in milliseconds since the epoch. As {@link runsOf}. */
export function nextRun(calendar: Calendar, after: number): number {
  return runsOf(calendar)(after);
}

/**
 * Returns the function that finds the first instant after another one that the schedule names and that lies inside the window. A schedule
 * whose instants all lie outside says only on which days: backups begin with the window then. Where the clocks change, a time that comes
 * twice counts the first time, and a skipped one at the instant of the skip.
 */
export function runsOf({ schedule, timezone = "UTC", ...window }: Calendar): (after: number) => number {
  const clock = zonedClock(timezone);
  const nextReading = readingsIn(window, readingsOf(schedule));
  return (after) => nextInstant(clock, nextReading, after) ?? Number.MAX_SAFE_INTEGER;
}

/** The end of the window that an instant lies in, in milliseconds since the epoch. */
export function windowEnd({ window, startingHour, timezone = "UTC" }: Omit<Calendar, "schedule">, at: number): number {
  const clock = zonedClock(timezone);
  const reading = clock.read(at);
  return clock.instantOf(reading - intoDay(reading, startingHour) + window * hourMs);
}

type DailyWindow = Pick<Calendar, "window" | "startingHour">;
type NextReading = (after: number) => number | undefined;

/** The readings of a schedule that lie inside the window, or the begins of the window on its days. */
function readingsIn({ window, startingHour }: DailyWindow, next: NextReading): NextReading {
  const isInside = (reading: number) => intoDay(reading, startingHour) < window * hourMs;
  if (!timesOf(next).some(isInside)) return (after) => nextDay(next, startingHour, after);
  return (after) => {
    let run = next(after);
    while (run !== undefined && !isInside(run)) run = next(run - intoDay(run, startingHour) + dayMs - 1);
    return run;
  };
}

/** The readings of the first day that a schedule names: all its days have the same times. */
function timesOf(next: NextReading): number[] {
  const times: number[] = [];
  const first = next(-1) ?? 0;
  for (let run: number | undefined = first; run !== undefined && run < first + dayMs; run = next(run)) times.push(run);
  return times;
}

/** The begin of the window on the first day that the schedule names, after a reading. */
function nextDay(next: NextReading, startingHour: number, after: number): number | undefined {
  let at = Math.floor(after / dayMs) * dayMs - 1;
  for (;;) {
    const run = next(at);
    if (run === undefined) return undefined;
    const day = Math.floor(run / dayMs) * dayMs;
    if (day + startingHour * hourMs > after) return day + startingHour * hourMs;
    at = day + dayMs - 1;
  }
}

/** Milliseconds of a reading from the last time that the clock showed `startingHour`. */
function intoDay(reading: number, startingHour: number): number {
  return (((reading - startingHour * hourMs) % dayMs) + dayMs) % dayMs;
}
