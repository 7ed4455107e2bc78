import type { LimitUsage } from "../../engine/policy/limit-usage.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";
import { alignColumns, writeMoney } from "../../server/terminal/format.ts";
import { writeLimit } from "./limits/limits.ts";
import type { AnyRecord, RecordWord } from "./record-access.ts";
import { writeInstant } from "./time.ts";

/** How the limits of a record stand: of a key with those above it, of a project or a customer its own. */
export function readLimitUsage(
  store: StoreFunctions,
  word: RecordWord,
  { id }: AnyRecord,
): Promise<readonly LimitUsage[]> {
  return store.usage.limits(id, word);
}

function writeReset({ duration, resets_at }: LimitUsage): string {
  if (duration === "never") return "never";
  return resets_at === undefined ? "with the first use" : writeInstant(resets_at);
}

/** A table of limits: how much is used, reserved for calls under way if any are, and left, and when the window ends. */
export function writeLimitUsage(limits: readonly LimitUsage[]): string {
  const isReserved = limits.some(({ reserved }) => reserved > 0);
  const rows = limits.map((limit) => {
    const show = limit.unit === "cost" ? writeMoney : String;
    const unit = limit.unit === "cost" ? "" : ` ${limit.unit}`;
    return [
      limit.level === "entry" ? `entry ${limit.owner.slice(limit.owner.indexOf("/") + 1)}` : limit.level,
      writeLimit({ ...limit, isHard: limit.is_hard, isCalendar: limit.is_calendar, max: `${show(limit.max)}${unit}` }),
      show(limit.used),
      ...(isReserved ? [show(limit.reserved)] : []),
      show(limit.left),
      writeReset(limit),
    ];
  });
  return alignColumns([["LEVEL", "LIMIT", "USED", ...(isReserved ? ["RESERVED"] : []), "LEFT", "RESETS"], ...rows]);
}
