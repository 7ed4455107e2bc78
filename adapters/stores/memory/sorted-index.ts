import type { Place } from "../../shared/records/cursor.ts";

/** Places in the order of a list. */
export interface SortedIndex {
  readonly size: number;
  add(place: Place): void;
  remove(place: Place): void;
  /** At most `count` places behind `from`, which need not be there any more; the first ones without it. */
  after(from: Place | undefined, count: number): readonly Place[];
}

/** An index without places. Adding at the end, as records are made, costs the same however many there are. */
export function createIndex(): SortedIndex {
  const places: Place[] = [];
  return {
    get size() {
      return places.length;
    },
    add({ created_at, id }) {
      const place = { created_at, id };
      const position = findBehind(places, place);
      if (position === places.length) places.push(place);
      else places.splice(position, 0, place);
    },
    remove(place) {
      const position = findBehind(places, place) - 1;
      if (position >= 0 && compare(places[position] as Place, place) === 0) places.splice(position, 1);
    },
    after(from, count) {
      const start = from ? findBehind(places, from) : 0;
      return places.slice(start, start + count);
    },
  };
}

/** The position behind all places that are not after this one. */
function findBehind(places: readonly Place[], place: Place): number {
  let low = 0;
  let high = places.length;
  if (high === 0 || compare(places[high - 1] as Place, place) <= 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(places[middle] as Place, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(one: Place, other: Place): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
