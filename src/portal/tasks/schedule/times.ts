import { GatewayError } from "../../../engine/errors.ts";
import { isSchedule, nextInstant, readingsOf } from "../../schedules/cron.ts";
import { zonedClock } from "../../schedules/zoned-clock.ts";

/** What a caller asks for: an instant, or a repetition. */
export interface AskedTimes {
  readonly at?: string | undefined;
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
}

/** The times of a schedule. Instants are milliseconds since the epoch. */
export interface Times {
  readonly at: number | null;
  readonly cron: string | null;
  readonly timezone: string;
}

/** Returns the times that a caller asks for. Throws `invalid_request` unless they are one of both, and in the future. */
export function readTimes({ at, cron, timezone = "UTC" }: AskedTimes, now: number): Times {
  if ((at === undefined) === (cron === undefined)) throw invalid("at", "give either `at` or `cron`");
  if (at !== undefined) {
    if (Date.parse(at) <= now) throw invalid("at", "must be in the future");
    return { at: Date.parse(at), cron: null, timezone };
  }
  if (cron === undefined || !isSchedule(cron))
    throw invalid("cron", "must be a cron schedule of five fields, e.g. `0 2 * * *`");
  return { at: null, cron, timezone };
}

/** Returns the first time after an instant; null for none. */
export function nextTime({ at, cron, timezone }: Times, after: number): number | null {
  if (cron === null) return at !== null && at > after ? at : null;
  return nextInstant(zonedClock(timezone), readingsOf(cron), after) ?? null;
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
