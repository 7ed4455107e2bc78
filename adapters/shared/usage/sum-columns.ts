import type { UsageSums } from "../../../src/engine/ports/ledger.ts";

/** The sums that a store's first schema has columns for. Never changed: later sums are added by a later migration. */
export const firstSumNames = [
  "requests",
  "failures",
  "cache_hits",
  "attempts",
  "prompt_tokens",
  "completion_tokens",
  "cached_read_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
  "cost",
  "saved",
  "unpriced",
  "estimated",
  "latency",
] as const satisfies readonly (keyof UsageSums)[];

/** Columns of requests and of sums since the migration that added them; 0 in older rows. */
export const savedTokenColumns = ["saved_prompt_tokens", "saved_completion_tokens"] as const satisfies readonly Exclude<
  keyof UsageSums,
  (typeof firstSumNames)[number]
>[];
