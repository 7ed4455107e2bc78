import { Cron } from "croner";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When a resource may be backed up. */
export interface Calendar {
  /** Cron, five fields, UTC. */
  readonly schedule: string;
  /** Hours from `startingHour` in which a backup may begin. */
  readonly window: number;
  /** Hour of the day in UTC. */
  readonly startingHour: number;
}

/** True for a valid cron schedule of five fields. */
export function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && cronOf(text).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

/**
 * The first instant after `after`, in milliseconds since the epoch, that the schedule names and that lies inside the window. A schedule
 * whose instants all lie outside says only on which days: backups begin with the window then.
 */
export function nextRun({ schedule, window, startingHour }: Calendar, after: number): number {
  const cron = cronOf(schedule);
  let first: number | undefined;
  for (let run = cron.nextRun(new Date(after)); run !== null; run = cron.nextRun(run)) {
    const at = run.getTime();
    if (isInside(at, startingHour, window)) return at;
    first ??= at;
    if (at > first && (at - first) % dayMs === 0) break; // all its days have the same times, and each was looked at
  }
  return nextDay(cron, startingHour, after);
}

/** The begin of the window on the first day that the schedule names, after an instant. */
function nextDay(cron: Cron, startingHour: number, after: number): number {
  let at = Math.floor(after / dayMs) * dayMs - 1;
  for (;;) {
    const run = cron.nextRun(new Date(at));
    if (run === null) return Number.MAX_SAFE_INTEGER;
    const day = Math.floor(run.getTime() / dayMs) * dayMs;
    if (day + startingHour * hourMs > after) return day + startingHour * hourMs;
    at = day + dayMs - 1;
  }
}

/** True when an instant lies in the hours of a day that begin with `startingHour`; they may go past midnight. */
function isInside(at: number, startingHour: number, window: number): boolean {
  const into = (at - startingHour * hourMs) % dayMs;
  return (into + dayMs) % dayMs < window * hourMs;
}

function cronOf(schedule: string): Cron {
  return new Cron(schedule, { timezone: "UTC", paused: true, mode: "5-part" });
}
