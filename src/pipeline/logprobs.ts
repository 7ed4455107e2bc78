import { LRUCache } from "lru-cache";

/** Models that are remembered; their names are the callers', so that there is no end to them. */
const remembered = 10_000;

/** Which models have turned out to give no log probabilities. */
export interface LogprobsBook {
  /** True for a model (`provider/model`) whose answers lacked them. */
  lacks(target: string): boolean;
  note(target: string): void;
}

/** A book that knows of no model yet. */
export function createLogprobsBook(): LogprobsBook {
  const without = new LRUCache<string, true>({ max: remembered });
  return {
    lacks: (target) => without.has(target),
    note: (target) => void without.set(target, true),
  };
}
