import { z } from "zod";
import { type Duration, type DurationUnit, durationIn } from "../runtime/duration.ts";

const words: Record<DurationUnit, string> = { ms: "milliseconds", s: "seconds", m: "minutes", h: "hours", d: "days" };

/** A duration as options and files state it, a number or text with its unit; read as a number of `unit`, which `bounds` checks. */
export function duration(unit: DurationUnit, bounds: z.ZodNumber = z.number().positive()) {
  const isDuration = (value: unknown) => typeof value !== "string" || durationIn(unit, value) !== undefined;
  return z
    .custom<Duration>(isDuration, `must be a number of ${words[unit]}, or text with its unit, like "10s" or "500ms"`)
    .transform((value) => (typeof value === "string" ? (durationIn(unit, value) ?? Number.NaN) : value)) // the check has read it
    .pipe(bounds);
}

/** Deadlines of calls (`Timeouts`), each of them optional. */
export function timeoutsOf(bounds?: z.ZodNumber) {
  const ms = duration("ms", bounds);
  return z.strictObject({ connect: ms, firstContent: ms, firstContentMax: ms, gap: ms, whole: ms }).partial();
}
