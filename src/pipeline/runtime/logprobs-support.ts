import { LRUCache } from "lru-cache";

/** Models that are remembered; callers choose their names, so their number is unbounded. */
const remembered = 10_000;

/** The models that turned out to give no log probabilities. */
export interface LogprobsSupport {
  /** True for a model (`provider/model`) whose answers lacked them. */
  lacks(target: string): boolean;
  note(target: string): void;
}

/** A memory without models. */
export function createLogprobsSupport(): LogprobsSupport {
  const without = new LRUCache<string, true>({ max: remembered });
  return {
    lacks: (target) => without.has(target),
    note: (target) => void without.set(target, true),
  };
}
