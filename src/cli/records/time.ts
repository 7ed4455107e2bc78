import { UsageError } from "../../server/terminal/usage-error.ts";

const spans: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** From where a span of time is counted, and in which direction. */
export interface Reckoning {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly direction: "ahead" | "back";
}

/**
 * Parses a date (`2026-12-31`, its start in UTC), an RFC 3339 time or a span from now (`30d`, `12h`). Returns milliseconds since the
 * epoch. Throws `UsageError` naming the option.
 */
export function readInstant(option: string, text: string, { now, direction }: Reckoning): number {
  const [, count, unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const isDate = isDay(text.slice(0, 10)) && /^.{10}(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const span = Number(count) * (spans[unit] ?? Number.NaN);
  const instant =
    count === undefined ? (isDate ? Date.parse(text) : Number.NaN) : now + (direction === "ahead" ? span : -span);
  if (Number.isFinite(instant) && Math.abs(instant) <= 8.64e15) return instant;
  const sample = "a day such as 2026-12-31, a time such as 2026-12-31T18:00:00Z, or a span such as 30d";
  throw new UsageError(`${option} must be ${sample}, not "${text}".`, "");
}

/** A day that there is: `Date.parse` takes 31 February for the third of March. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** `2026-11-20 18:00 UTC`. */
export function writeInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
