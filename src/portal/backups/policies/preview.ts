import type { RowInput } from "../../../operations/portal/table.ts";
import { zonedClock } from "../../schedules/zoned-clock.ts";
import { hourOf } from "../planning/lifetime.ts";
import { checkSchedule } from "../planning/policy.ts";
import { runsOf } from "../planning/schedule.ts";

/** A run of a schedule: its instant, and what the clocks of the time zone show then. */
interface PreviewedRun {
  readonly at: string;
  readonly local: string;
}

/** Returns the next runs of a schedule after an instant, as backups of a resource would begin. */
export function previewRuns(
  {
    schedule,
    starting_hour,
    timezone = "UTC",
    backup_window: window = 24,
    count = 5,
  }: RowInput<"backups.previewPolicy">,
  now: number,
): { timezone: string; runs: PreviewedRun[] } {
  checkSchedule(schedule);
  const nextAfter = runsOf({ schedule, timezone, window, startingHour: hourOf(starting_hour) });
  const { read } = zonedClock(timezone);
  const runs: PreviewedRun[] = [];
  for (let at = nextAfter(now); runs.length < count; at = nextAfter(at))
    runs.push({ at: new Date(at).toISOString(), local: writeLocal(at, read(at)) });
  return { timezone, runs };
}

/** `2026-03-29T03:00:00+02:00`. */
function writeLocal(at: number, reading: number): string {
  const minutes = Math.round(Math.abs(reading - at) / 60_000);
  const pad = (part: number) => String(part).padStart(2, "0");
  const sign = reading < at ? "-" : "+";
  return `${new Date(reading).toISOString().slice(0, 19)}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
