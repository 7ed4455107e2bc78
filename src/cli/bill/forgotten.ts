import type { Dimension } from "../../ports/ledger.ts";
import type { Books } from "../books/work.ts";

const dayMs = 86_400_000;

/** What was asked for and when: times in milliseconds since the epoch, and what is summed by. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  readonly group_by: readonly Dimension[];
  readonly now: number;
}

/** Only single requests tell these; sums by day do not. */
const untold: ReadonlySet<Dimension> = new Set(["user", "status", "reason", "cache"] satisfies Dimension[]);

type Days = Pick<Books["usage"], "query">;

/**
 * The day (its beginning) before which requests are missing in an answer because single requests were forgotten; `undefined` when
 * none is. Days are told by their sums, which stay: a day is whole while as many single requests are there as were summed.
 */
async function findForgotten(usage: Days, asked: Asked): Promise<number | undefined> {
  const days = await listDays(usage, asked);
  // What is forgotten is the oldest, so that the days that miss something stand before those that do not.
  let whole = 0;
  let end = days.length;
  while (whole < end) {
    const middle = Math.floor((whole + end) / 2);
    if (await isWhole(usage, days[middle] as Day)) end = middle;
    else whole = middle + 1;
  }
  const last = days[whole - 1];
  return last && last.at + dayMs;
}

/** What an answer lacks, and how it is had; `undefined` for one that lacks nothing. */
export async function tellForgotten(usage: Days, asked: Asked, keepSumsDays = Infinity): Promise<string | undefined> {
  const kept = asked.now - keepSumsDays * dayMs;
  if (asked.from < kept) return `\`ledger.keepSumsDays\` keeps nothing from before ${writeDay(kept)}.`;
  const forgotten = await findForgotten(usage, asked);
  if (forgotten === undefined) return undefined;
  return (
    `Single requests from before ${writeDay(forgotten)} were forgotten (\`ledger.keepDays\`) and are missing here: sums by day, which ` +
    "stay, know neither user, status, reason and cache nor parts of a day; --by day over whole days has them."
  );
}

function writeDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

interface Day {
  readonly at: number;
  readonly requests: number;
}

/** The days on which something was asked and of which the answer is made from single requests, oldest first. */
async function listDays(usage: Days, { from, to, group_by, now }: Asked): Promise<readonly Day[]> {
  const isUntold = group_by.some((dimension) => untold.has(dimension));
  const isCut = (at: number) => at < from || (at + dayMs > to && to <= now); // nothing comes after now: today is a whole day
  const first = Math.floor(from / dayMs) * dayMs;
  const rows = await usage.query({ from: first, to: Math.ceil(to / dayMs) * dayMs, group_by: ["day"] });
  return rows
    .map(({ group, requests }) => ({ at: Date.parse(`${group.day}T00:00:00Z`), requests }))
    .filter(({ at }) => isUntold || isCut(at))
    .toSorted((one, other) => one.at - other.at);
}

async function isWhole(usage: Days, { at, requests }: Day): Promise<boolean> {
  const rows = await usage.query({ from: at, to: at + dayMs, group_by: ["status"] });
  return rows.reduce((sum, row) => sum + row.requests, 0) >= requests;
}
