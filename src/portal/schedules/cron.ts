import { Cron } from "croner";
import type { ZonedClock } from "./zoned-clock.ts";

/** True for a valid cron schedule of five fields that names an instant at all. */
export function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && cronOf(text).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

/** Returns a cron schedule over the readings of a wall clock: the next reading after another one; undefined for none. */
export function readingsOf(schedule: string): (after: number) => number | undefined {
  const cron = cronOf(schedule);
  return (after) => cron.nextRun(new Date(after))?.getTime();
}

/**
 * Returns the first instant after `after` that a schedule of wall clock readings names; undefined for none. A reading that the clock shows
 * twice counts the first time, and one that it skips at the instant of the skip.
 */
export function nextInstant(
  clock: ZonedClock,
  nextReading: (after: number) => number | undefined,
  after: number,
): number | undefined {
  for (let reading = nextReading(clock.read(after)); reading !== undefined; reading = nextReading(reading)) {
    const at = clock.instantOf(reading);
    if (at > after) return at;
  }
  return undefined;
}

function cronOf(schedule: string): Cron {
  return new Cron(schedule, { timezone: "UTC", paused: true, mode: "5-part" });
}
