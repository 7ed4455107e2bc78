import { toDollars } from "../../metering/money.ts";
import type { LimitUsage } from "../../policy/limit-usage.ts";
import type { StoreFunctions } from "../store/with-store.ts";
import { alignColumns, writeMoney } from "../terminal/format.ts";
import { writeLimit } from "./limits.ts";
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

/** A table of limits: how much is used, reserved for calls under way if any are, and left, and when the window ends. */
export function writeLimitUsage(limits: readonly LimitUsage[]): string {
  const isReserved = limits.some(({ reserved }) => reserved > 0);
  const rows = limits.map((limit) => {
    const show = limit.unit === "cost" ? (nano: number) => writeMoney(toDollars(nano)) : String;
    const unit = limit.unit === "cost" ? "" : ` ${limit.unit}`;
    return [
      limit.level === "entry" ? `entry ${limit.owner.slice(limit.owner.indexOf("/") + 1)}` : limit.level,
      writeLimit({ ...limit, max: `${show(limit.max)}${unit}` }),
      show(limit.used),
      ...(isReserved ? [show(limit.reserved)] : []),
      show(limit.left),
      limit.resetsAt === undefined ? "with the first use" : writeInstant(limit.resetsAt),
    ];
  });
  return alignColumns([["LEVEL", "LIMIT", "USED", ...(isReserved ? ["RESERVED"] : []), "LEFT", "RESETS"], ...rows]);
}
