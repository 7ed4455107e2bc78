import type { Timeouts } from "../../src/engine/ports/provider.ts";
import { type Check, object } from "../../src/engine/runtime/checks.ts";
import { type Duration, durationIn, type WithDurations } from "../../src/engine/runtime/duration.ts";

/** Deadlines as a caller states them: each in milliseconds, or as text such as `"10s"`. */
export type Deadlines = Partial<WithDurations<Timeouts>>;

const isDuration = (value: unknown) =>
  (typeof value === "number" || typeof value === "string") && (durationIn("ms", value) ?? 0) > 0;

/** Accepts a duration above 0. */
export const duration: Check = [isDuration, 'a number of milliseconds above 0, or text such as "10s"'];

/** Accepts a duration from 0 to `most` milliseconds; `phrase` names the most. */
export function durationUpTo(most: number, phrase: string): Check {
  const fits = (value: unknown) => {
    const ms = typeof value === "number" || typeof value === "string" ? durationIn("ms", value) : undefined;
    return ms !== undefined && ms >= 0 && ms <= most;
  };
  return [fits, `a number of milliseconds, or text such as "10s", ${phrase} at most`];
}

/** Accepts an object whose members are durations above 0. */
export const durations: Check = [
  (value) => object[0](value) && Object.values(value as object).every((one) => one === undefined || isDuration(one)),
  'an object of durations: each a number of milliseconds above 0, or text such as "10s"',
];

/** Milliseconds of a duration that was checked; `fallback` without one. */
export function msOf(value: Duration | undefined, fallback: number): number {
  return value === undefined ? fallback : (durationIn("ms", value) ?? fallback);
}
