import type { UsageSums } from "../../ports/ledger.ts";

/** Sums of the ledger that can be added to. */
export type Sums = { -readonly [Name in keyof UsageSums]: number };

/** Nothing yet. */
export function noSums(): Sums {
  return {
    requests: 0,
    failures: 0,
    cache_hits: 0,
    attempts: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_read_tokens: 0,
    cached_write_tokens: 0,
    reasoning_tokens: 0,
    cost: 0,
    saved: 0,
    unpriced: 0,
    estimated: 0,
    latency: 0,
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
  };
}

/** The names of the sums, in the order of their columns; a new one stands last, for stores add its column. */
export const sumNames = Object.keys(noSums()) as readonly (keyof UsageSums)[];

/** Adds the second to the first. */
export function addSums(sums: Sums, more: UsageSums): void {
  // Written out: looking fields up by their names takes longer than adding them, and every row of the ledger is added.
  sums.requests += more.requests;
  sums.failures += more.failures;
  sums.cache_hits += more.cache_hits;
  sums.attempts += more.attempts;
  sums.prompt_tokens += more.prompt_tokens;
  sums.completion_tokens += more.completion_tokens;
  sums.cached_read_tokens += more.cached_read_tokens;
  sums.cached_write_tokens += more.cached_write_tokens;
  sums.reasoning_tokens += more.reasoning_tokens;
  sums.cost += more.cost;
  sums.saved += more.saved;
  sums.unpriced += more.unpriced;
  sums.estimated += more.estimated;
  sums.latency += more.latency;
  sums.saved_prompt_tokens += more.saved_prompt_tokens;
  sums.saved_completion_tokens += more.saved_completion_tokens;
}
