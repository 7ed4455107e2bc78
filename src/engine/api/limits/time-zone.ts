import { z } from "zod";

/** The name of a time zone that this machine knows. */
export const TimeZone = z.string().max(64).refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
