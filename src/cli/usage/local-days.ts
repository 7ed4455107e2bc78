import type { UsageReportRow } from "../../engine/metering/usage/report.ts";
import type { Dimension, UsageFilters } from "../../engine/ports/ledger.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";

/** A question whose days and months are those of a time zone. */
export interface LocalQuestion {
  readonly from: number;
  readonly to: number;
  readonly group_by: readonly Dimension[];
  readonly filters: UsageFilters;
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timezone: string;
}

interface UsageReader {
  query(question: Omit<LocalQuestion, "timezone">): Promise<readonly UsageReportRow[]>;
}

/** Days that a report in a time zone may have: each of them is a question of its own. */
const mostDays = 800;
const hourMs = 3_600_000;

/**
 * Sums by the days or months of a time zone: the ledger's own are of UTC, so that each local one is asked for by its beginning and its
 * end. Throws `UsageError` for an unknown zone and for more than two years of days.
 */
export async function queryLocally(usage: UsageReader, question: LocalQuestion): Promise<readonly UsageReportRow[]> {
  const { timezone, from, to, group_by, filters } = question;
  const period = group_by.find((each) => each === "day" || each === "month");
  if (period === undefined) return usage.query({ from, to, group_by, filters });
  const others = group_by.filter((each) => each !== "day" && each !== "month");
  const rows: UsageReportRow[] = [];
  for (const span of localSpans({ from, to, timezone, isMonthly: !group_by.includes("day") })) {
    const { day } = span;
    const own = {
      ...(group_by.includes("day") ? { day } : {}),
      ...(group_by.includes("month") ? { month: day.slice(0, 7) } : {}),
    };
    const found = await usage.query({ from: span.from, to: span.to, group_by: others, filters });
    rows.push(...found.map((row) => ({ ...row, group: { ...row.group, ...own } })));
  }
  return rows;
}

/** A local day or month: its name, or that of its first day, and the instants that it has of the period. */
interface LocalSpan {
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

interface LocalPeriod extends Pick<LocalQuestion, "from" | "to" | "timezone"> {
  readonly isMonthly: boolean;
}

/** The local days or months of a period, in order; the first and the last may be cut. */
export function localSpans({ from, to, timezone, isMonthly }: LocalPeriod): readonly LocalSpan[] {
  const dayAt = dayReader(timezone);
  const nameAt = (at: number) => (isMonthly ? `${dayAt(at).slice(0, 7)}-01` : dayAt(at));
  const spans: LocalSpan[] = [];
  let start = from;
  while (start < to) {
    const day = nameAt(start);
    const end = Math.min(
      to,
      nextChange(start, (at) => nameAt(at) !== day, isMonthly ? 32 : 2),
    );
    spans.push({ day, from: start, to: end });
    if (spans.length > mostDays)
      throw new UsageError(`A report in a time zone has at most ${mostDays} days.`, "Use --by month.");
    start = end;
  }
  return spans;
}

/** The first instant after `start` at which `isOver` holds, within so many days, to the millisecond. */
function nextChange(start: number, isOver: (at: number) => boolean, days: number): number {
  let before = start;
  let after = start + days * 24 * hourMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isOver(middle)) after = middle;
    else before = middle;
  }
  return after;
}

function dayReader(timezone: string): (at: number) => string {
  try {
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    return (at) => format.format(at);
  } catch {
    throw new UsageError(`--timezone must be the name of a time zone, such as Europe/Berlin, not "${timezone}".`, "");
  }
}
