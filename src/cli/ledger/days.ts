import { UsageError } from "../../server/terminal/usage-error.ts";
import { readInstant } from "../records/time.ts";

export const dayMs = 86_400_000;

/** What the options say of the days. */
interface DayValues {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The days to export, each by its start in UTC, in milliseconds since the epoch. By default the last one that is over. */
export function readDays({ from, to }: DayValues, now: number): readonly number[] {
  const today = Math.floor(now / dayMs) * dayMs;
  const end = to === undefined ? today : readDay("--to", to, now);
  const begin = from === undefined ? end - dayMs : readDay("--from", from, now);
  if (begin >= end)
    throw new UsageError("--from must be before --to.", "Without --to, the export ends with yesterday.");
  return Array.from({ length: (end - begin) / dayMs }, (_, at) => begin + at * dayMs);
}

function readDay(option: string, text: string, now: number): number {
  const instant = readInstant(option, text, { now, direction: "back" });
  if (instant % dayMs === 0) return instant;
  if (/^\d+d$/.test(text)) return Math.floor(instant / dayMs) * dayMs;
  throw new UsageError(
    `${option} must be a day, such as 2026-11-20 or 7d, not "${text}".`,
    "Files hold whole days in UTC.",
  );
}

/** The name of a day, `2026-11-20`. */
export function nameOfDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
