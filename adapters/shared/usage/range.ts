import { dayLength, dayOf, firstDayOf, monthOf } from "./ledger-facts.ts";

/** A span of time in milliseconds since the epoch: `from` belongs to it, `to` does not. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A span cut at midnights: whole days, first included and last excluded, and what sticks out at the ends. */
export interface CutSpan {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly edges: readonly TimeSpan[];
}

/** Cuts a span into days and what sticks out. Nothing is known after `newest`, so that a span that ends there ends with its day. */
export function cutAtMidnight({ from, to }: TimeSpan, newest: number): CutSpan {
  const end = to > newest ? (dayOf(newest) + 1) * dayLength : to;
  const firstDay = Math.ceil(from / dayLength);
  const lastDay = Math.floor(end / dayLength);
  if (firstDay >= lastDay) return { firstDay, lastDay: firstDay, edges: from < to ? [{ from, to }] : [] };
  const head = { from, to: firstDay * dayLength };
  const tail = { from: lastDay * dayLength, to: end };
  return { firstDay, lastDay, edges: [head, tail].filter((edge) => edge.from < edge.to) };
}

/** Days cut at the ends of months: whole months, first included and last excluded, and the days that stick out. */
export interface CutDays {
  readonly firstMonth: number;
  readonly lastMonth: number;
  readonly edges: readonly DayRange[];
}

/** Days from one to another, the last one excluded. */
export interface DayRange {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Cuts days into months and what sticks out. Nothing is known after `newestDay`, so that days that end there end with its month. */
export function cutAtMonths({ firstDay, lastDay }: DayRange, newestDay: number): CutDays {
  const end = lastDay > newestDay ? firstDayOf(monthOf(newestDay) + 1) : lastDay;
  const firstMonth = monthOf(firstDay - 1) + 1;
  const lastMonth = monthOf(end);
  if (firstMonth >= lastMonth) return { firstMonth, lastMonth: firstMonth, edges: [{ firstDay, lastDay }] };
  const head = { firstDay, lastDay: firstDayOf(firstMonth) };
  const tail = { firstDay: firstDayOf(lastMonth), lastDay: end };
  return { firstMonth, lastMonth, edges: [head, tail].filter((edge) => edge.firstDay < edge.lastDay) };
}
