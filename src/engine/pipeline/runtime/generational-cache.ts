/** Values for recently used texts. */
export interface GenerationalCache<Found> {
  get(text: string, now: number): Found | undefined;
  set(text: string, found: Found, now: number): void;
  clear(): void;
}

/** Milliseconds after which an unused text is evicted, when the next one comes; at the latest after twice as long. */
export const generationMs = 30_000;

/** Remembers up to twice `most` texts, in two halves: when the younger one is full, or old, it replaces the other. */
export function createGenerationalCache<Found>(most: number): GenerationalCache<Found> {
  let young = new Map<string, Found>();
  let old = new Map<string, Found>();
  let begun = 0;
  const age = (now: number): void => {
    const passed = now - begun;
    const isFresh = passed >= 0 && passed < 2 * generationMs; // a clock that was set back shows no age
    old = isFresh ? young : new Map();
    young = new Map();
    begun = isFresh && passed >= generationMs ? begun + generationMs : now;
  };
  const isDue = (now: number): boolean => now - begun >= generationMs || now < begun;
  const set = (text: string, found: Found, now: number): void => {
    if (isDue(now) || young.size >= most) age(now);
    young.set(text, found);
  };
  return {
    get(text, now) {
      if (isDue(now)) age(now);
      const found = young.get(text);
      if (found !== undefined || old.size === 0) return found;
      const older = old.get(text);
      if (older !== undefined) set(text, older, now);
      return older;
    },
    set,
    clear() {
      young.clear();
      old.clear();
    },
  };
}
