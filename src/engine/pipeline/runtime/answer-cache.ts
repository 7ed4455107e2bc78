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
  /** Groups of words of which one cannot stand for another, next to the built-in ones. */
  readonly opposites: readonly string[];
  /** Similar questions are looked for and reported, and every question is asked all the same. */
  readonly isShadow: boolean;
  /** Who says whether an answer fits; absent where likeness is enough. */
  readonly check: HitCheck | undefined;
}

/** A target that checks hits, and the least probability at which one is given. */
export interface HitCheck {
  readonly target: Target;
  readonly threshold: number;
}
