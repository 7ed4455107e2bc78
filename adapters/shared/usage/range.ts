import { dayLength, dayOf } from "./facts.ts";

/** A span of time in milliseconds since the epoch: `from` belongs to it, `to` does not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span cut at midnights: whole days, first included and last excluded, and what sticks out at the ends. */
export interface CutSpan {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly edges: readonly Span[];
}

/** Cuts a span into days and what sticks out. Nothing is known after `newest`, so that a span that ends there ends with its day. */
export function cutAtMidnight({ from, to }: Span, newest: number): CutSpan {
  const end = to > newest ? (dayOf(newest) + 1) * dayLength : to;
  const firstDay = Math.ceil(from / dayLength);
  const lastDay = Math.floor(end / dayLength);
  if (firstDay >= lastDay) return { firstDay, lastDay: firstDay, edges: from < to ? [{ from, to }] : [] };
  const head = { from, to: firstDay * dayLength };
  const tail = { from: lastDay * dayLength, to: end };
  return { firstDay, lastDay, edges: [head, tail].filter((edge) => edge.from < edge.to) };
}
