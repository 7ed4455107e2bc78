/** One line of a bench's table; `ratio` is held against the goal and the floor where there are any. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly ratio?: number | undefined;
  readonly goal?: string | undefined;
  readonly verdict?: string | undefined;
}

/** The middle of the measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** `goal`, `floor` or `MISSED`, for a number that should be at most (`max`) or at least (`min`) its goal. */
export function judge(value: number, limits: { goal: number; floor: number; isAtLeast?: boolean }): string {
  const meets = (limit: number) => (limits.isAtLeast ? value >= limit : value <= limit);
  if (meets(limits.goal)) return "goal";
  return meets(limits.floor) ? "floor" : "MISSED";
}

/** Prints a table to standard output. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  const cells = rows.map(({ what, value, ratio, goal, verdict }) => [
    what,
    value,
    ratio === undefined ? "" : ratio.toFixed(2),
    goal ?? "",
    verdict ?? "",
  ]);
  const table = [["", "value", "ratio", "goal / floor", ""], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  for (const row of table) console.log(`  ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join("  ")}`.trimEnd());
}
