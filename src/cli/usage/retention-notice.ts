import type { Dimension } from "../../engine/ports/ledger.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";

const dayMs = 86_400_000;

/** The reported period in milliseconds since the epoch, the current time, and the dimensions. */
export interface ReportPeriod {
  readonly from: number;
  readonly to: number;
  readonly group_by: readonly Dimension[];
  readonly now: number;
}

/** Dimensions that only single requests have, not the sums by day. */
const droppedDimensions: ReadonlySet<Dimension> = new Set(["user", "status", "reason", "cache"] satisfies Dimension[]);

type Days = Pick<StoreFunctions["usage"], "query">;

/**
 * Returns the start of the day before which requests are missing because single requests were pruned, or `undefined`. A day is complete
 * while it has as many single requests as its sums count.
 */
async function findPruned(usage: Days, period: ReportPeriod): Promise<number | undefined> {
  const days = await listDays(usage, period);
  // What is forgotten is the oldest, so that the days that miss something stand before those that do not.
  let whole = 0;
  let end = days.length;
  while (whole < end) {
    const middle = Math.floor((whole + end) / 2);
    if (await isWhole(usage, days[middle] as DailyRequests)) end = middle;
    else whole = middle + 1;
  }
  const last = days[whole - 1];
  return last && last.at + dayMs;
}

/** What an answer lacks, and how it is had; `undefined` for one that lacks nothing. */
export async function printRetentionNotice(
  usage: Days,
  period: ReportPeriod,
  keepSumsDays = Infinity,
): Promise<string | undefined> {
  const store = period.now - keepSumsDays * dayMs;
  if (period.from < store) return `\`ledger.keepSumsDays\` keeps nothing from before ${writeDay(store)}.`;
  const pruned = await findPruned(usage, period);
  if (pruned === undefined) return undefined;
  return (
    `Single requests from before ${writeDay(pruned)} were pruned (\`ledger.keepDays\`) and are missing here: sums by day, which ` +
    "stay, know neither user, status, reason and cache nor parts of a day; --by day over whole days has them."
  );
}

function writeDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

interface DailyRequests {
  readonly at: number;
  readonly requests: number;
}

/** The days with requests that the report computes from single requests, oldest first. */
async function listDays(usage: Days, { from, to, group_by, now }: ReportPeriod): Promise<readonly DailyRequests[]> {
  const isUnsent = group_by.some((dimension) => droppedDimensions.has(dimension));
  const isCut = (at: number) => at < from || (at + dayMs > to && to <= now); // nothing comes after now: today is a whole day
  const first = Math.floor(from / dayMs) * dayMs;
  const rows = await usage.query({ from: first, to: Math.ceil(to / dayMs) * dayMs, group_by: ["day"] });
  return rows
    .map(({ group, requests }) => ({ at: Date.parse(`${group.day}T00:00:00Z`), requests }))
    .filter(({ at }) => isUnsent || isCut(at))
    .toSorted((one, other) => one.at - other.at);
}

async function isWhole(usage: Days, { at, requests }: DailyRequests): Promise<boolean> {
  const rows = await usage.query({ from: at, to: at + dayMs, group_by: ["status"] });
  return rows.reduce((sum, row) => sum + row.requests, 0) >= requests;
}
