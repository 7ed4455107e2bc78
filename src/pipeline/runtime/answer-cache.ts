import type { CacheSettings } from "../../caching/settings.ts";
import type { AnswerCache } from "../../ports/answers.ts";
import type { VectorIndex } from "../../ports/vectors.ts";
import type { Target } from "../../routing/plan.ts";

/** The settings of the answer cache. */
export interface AnswerCacheSettings {
  readonly answers: AnswerCache;
  readonly settings: CacheSettings;
  /** Present when similar questions may share answers. */
  readonly semantic: Semantic | undefined;
}

/** How similar questions are found. */
export interface Semantic {
  readonly vectors: VectorIndex;
  /** The target that embeds. */
  readonly embed: Target;
}
