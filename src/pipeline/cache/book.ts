import type { CacheScope } from "../../cache/scope.ts";
import type { CacheTerms } from "../../cache/terms.ts";
import type { AnswerCache } from "../../ports/answers.ts";
import type { VectorIndex } from "../../ports/vectors.ts";
import type { Target } from "../../route/plan.ts";
import type { Flights } from "./flight.ts";

/** What answers are kept with. */
export interface CacheBook {
  readonly answers: AnswerCache;
  readonly terms: CacheTerms;
  /** Present when answers to similar questions may be given. */
  readonly semantic: Semantic | undefined;
  /** Questions that are being asked, by what makes them the same. */
  readonly flights: Flights;
}

/** How similar questions are found. */
export interface Semantic {
  readonly vectors: VectorIndex;
  /** Who embeds. */
  readonly embed: Target;
}

/** Where the answer of a question is looked for. */
export interface Place {
  readonly scope: CacheScope;
  /** The fingerprint of the question. */
  readonly id: string;
}
