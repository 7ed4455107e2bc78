import type { CursorPosition } from "../../shared/records/cursor.ts";

/** Places in the order of a list. */
export interface SortedIndex {
  readonly size: number;
  add(entry: CursorPosition): void;
  remove(entry: CursorPosition): void;
  has(entry: CursorPosition): boolean;
  /** The places behind `from`, which need not be there any more; all without it. `backwards` from the last to the first. */
  walk(from: CursorPosition | undefined, backwards?: boolean): Iterable<CursorPosition>;
}

/** An index without places. Adding at the end, as records are made, costs the same however many there are. */
export function createIndex(): SortedIndex {
  const positions: CursorPosition[] = [];
  const has = (entry: CursorPosition, behind: number) =>
    behind > 0 && compare(positions[behind - 1] as CursorPosition, entry) === 0;
  return {
    get size() {
      return positions.length;
    },
    add({ created_at, id }) {
      const entry = { created_at, id };
      const position = findBehind(positions, entry);
      if (position === positions.length) positions.push(entry);
      else positions.splice(position, 0, entry);
    },
    remove(entry) {
      const behind = findBehind(positions, entry);
      if (has(entry, behind)) positions.splice(behind - 1, 1);
    },
    has: (entry) => has(entry, findBehind(positions, entry)),
    *walk(from, backwards = false) {
      const behind = from ? findBehind(positions, from) : backwards ? positions.length : 0;
      const step = backwards ? -1 : 1;
      const start = backwards ? (from && has(from, behind) ? behind - 2 : behind - 1) : behind;
      for (let at = start; at >= 0 && at < positions.length; at += step) yield positions[at] as CursorPosition;
    },
  };
}

/** The position behind all places that are not after this one. */
function findBehind(positions: readonly CursorPosition[], entry: CursorPosition): number {
  let low = 0;
  let high = positions.length;
  if (high === 0 || compare(positions[high - 1] as CursorPosition, entry) <= 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(positions[middle] as CursorPosition, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(one: CursorPosition, other: CursorPosition): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
