import type { LimitStanding } from "../../policy/standing.ts";
import { toDollars } from "../../usage/money.ts";
import type { Books } from "../books/work.ts";
import { alignColumns, writeMoney } from "../words.ts";
import { type AnyRecord, drawerOf, type RecordWord } from "./drawer.ts";
import { writeInstant } from "./instant.ts";
import { writeLimit } from "./limits.ts";

/** How the limits of a record stand: of a key with those above it, of a project or a customer its own. */
export async function readStanding(
  books: Books,
  word: RecordWord,
  { id }: AnyRecord,
): Promise<readonly LimitStanding[]> {
  if (word === "key") return books.usage.standing(id);
  const key = await findKeyOf(books, word, id);
  if (key === undefined) return [];
  const all = await books.usage.standing(key);
  return all.filter(({ level, owner }) => level === word && owner === id);
}

/** Any key below a project or a customer: what it would be judged by are their limits, too. */
async function findKeyOf(books: Books, word: "project" | "customer", id: string): Promise<string | undefined> {
  const one = { limit: 1, after: undefined };
  const [own] = (await drawerOf(books, "key").list({ where: { [`${word}_id`]: id }, ...one })).items;
  if (own !== undefined || word === "project") return own?.id;
  const projects = await drawerOf(books, "project").list({
    where: { customer_id: id },
    limit: 1_000,
    after: undefined,
  });
  for (const project of projects.items) {
    const key = await findKeyOf(books, "project", project.id);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** A table of limits: how much is used, what is left, and when the window ends. */
export function writeStanding(standing: readonly LimitStanding[]): string {
  const rows = standing.map((limit) => {
    const show = limit.unit === "cost" ? (nano: number) => writeMoney(toDollars(nano)) : String;
    const unit = limit.unit === "cost" ? "" : ` ${limit.unit}`;
    return [
      limit.level === "entry" ? `entry ${limit.owner.slice(limit.owner.indexOf("/") + 1)}` : limit.level,
      writeLimit({ ...limit, max: `${show(limit.max)}${unit}` }),
      show(limit.used),
      show(limit.left),
      limit.resetsAt === undefined ? "with the first use" : writeInstant(limit.resetsAt),
    ];
  });
  return alignColumns([["LEVEL", "LIMIT", "USED", "LEFT", "RESETS"], ...rows]);
}
