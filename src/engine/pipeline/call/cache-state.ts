import type { CacheDebug } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";

/** What a hit of the answer cache saved. */
export interface CacheSaving {
  readonly type: "direct" | "semantic";
  /** Nano-dollars. */
  readonly saved: number;
  /** Tokens of the answer as they were counted when it was generated; absent where they were not counted. */
  readonly tokens?: Pick<Usage, "prompt_tokens" | "completion_tokens"> | undefined;
}

/** The cache's part in a call. */
export interface CallCacheState {
  /** Sent with the answer, on the last chunk of a stream. */
  debug: CacheDebug;
  /** How the cache answered, if it did, and what this saved. */
  hit: CacheSaving | undefined;
  /** What cached vectors of some of the texts saved, where a provider was asked for the others. */
  saving?: Omit<CacheSaving, "type"> | undefined;
  /** What went wrong with the cache, for the warnings of the answer. */
  warning: string | undefined;
}
