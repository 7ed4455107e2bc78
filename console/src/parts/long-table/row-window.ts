/** What part of a long list is in the page: rows of one height, from `from` to before `to`. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** Pixels of a row in a table that shows a part of its rows; the style sheet has the same. */
export const rowHeight = 40;

/** Rows above and below what is seen: the next step of a wheel shows no gap. */
const spare = 15;

/** Returns the rows that are seen, and some around them. */
export function windowOf(scrolled: number, height: number, count: number): RowWindow {
  const first = Math.floor(Math.max(0, scrolled) / rowHeight);
  const seen = Math.ceil(height / rowHeight);
  const from = Math.max(0, Math.min(first - spare, count));
  return { from, to: Math.min(count, Math.max(first + seen + spare, from)) };
}
