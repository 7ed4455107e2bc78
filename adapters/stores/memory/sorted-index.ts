import type { CursorPosition } from "../../shared/records/cursor.ts";

/** Places in the order of a list. */
export interface SortedIndex {
  readonly size: number;
  add(entry: CursorPosition): void;
  remove(entry: CursorPosition): void;
  /** At most `count` places behind `from`, which need not be there any more; the first ones without it. */
  after(from: CursorPosition | undefined, count: number): readonly CursorPosition[];
}

/** An index without places. Adding at the end, as records are made, costs the same however many there are. */
export function createIndex(): SortedIndex {
  const positions: CursorPosition[] = [];
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
      const position = findBehind(positions, entry) - 1;
      if (position >= 0 && compare(positions[position] as CursorPosition, entry) === 0) positions.splice(position, 1);
    },
    after(from, count) {
      const start = from ? findBehind(positions, from) : 0;
      return positions.slice(start, start + count);
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
