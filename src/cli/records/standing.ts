import type { LimitStanding } from "../../policy/standing.ts";
import { toDollars } from "../../usage/money.ts";
import type { Books } from "../books/work.ts";
import { alignColumns, writeMoney } from "../words.ts";
import type { AnyRecord, RecordWord } from "./drawer.ts";
import { writeInstant } from "./instant.ts";
import { writeLimit } from "./limits.ts";

/** How the limits of a record stand: of a key with those above it, of a project or a customer its own. */
export function readStanding(books: Books, word: RecordWord, { id }: AnyRecord): Promise<readonly LimitStanding[]> {
  return books.usage.standing(id, word);
}

/** A table of limits: how much is used, reserved for calls under way if any are, and left, and when the window ends. */
export function writeStanding(standing: readonly LimitStanding[]): string {
  const isReserved = standing.some(({ reserved }) => reserved > 0);
  const rows = standing.map((limit) => {
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
