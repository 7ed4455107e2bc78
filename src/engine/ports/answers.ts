import type { MaybePromise } from "../runtime/maybe-promise.ts";

/** An answer as it is kept. Holds no credential and nothing of the call that asked for it. */
export interface CachedAnswer {
  /** The whole answer as JSON, without `extra_fields` and cost. */
  readonly body: string;
  /** Who gave it: the provider, and its own name of the model. */
  readonly provider: string;
  readonly deployment: string;
  /** The question as it is compared with similar ones; absent where it is not. */
  readonly question?: string | undefined;
  /** What it cost, in nano-dollars: what is saved whenever it is given again. */
  readonly cost: number;
  /** What the provider could not honour. */
  readonly warnings: readonly string[];
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /** From then on it is not given any more. */
  readonly expiresAt: number;
}

/** A stored answer as lists show it: nothing of the question, and nothing of the answer. */
export interface ListedAnswer
  extends Pick<CachedAnswer, "provider" | "deployment" | "cost" | "storedAt" | "expiresAt"> {
  readonly id: string;
  /** What it takes in the cache, about. */
  readonly bytes: number;
}

/** Which answers of a scope to list; `limit` is 1 to 1,000, `after` is `next` of the page before. */
export interface AnswerListQuestion {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly now: number;
}

/** One page of a scope's answers, those that expire first in front. */
export interface AnswerPage {
  readonly answers: readonly ListedAnswer[];
  readonly next?: string | undefined;
}

/** How much a scope has. */
export interface AnswerSize {
  readonly answers: number;
  readonly bytes: number;
}

/**
 * Answers that are given again. Every call names the scope that it acts in; an answer is never seen from another one. Answers may be
 * dropped at any time. The clock is the caller's: `now` is milliseconds since the epoch.
 */
export interface AnswerCache {
  /**
   * The answer stored under this id, unless it has expired. Rejects where its presence cannot be determined: the vector of a
   * missing answer is deleted.
   */
  get(scope: string, id: string, now: number): MaybePromise<CachedAnswer | undefined>;
  /** Keeps an answer, in place of an earlier one. One that is too large for the cache is not kept. */
  put(scope: string, id: string, answer: CachedAnswer): MaybePromise<void>;
  /** Forgets one answer; tells whether it was there. */
  delete(scope: string, id: string): MaybePromise<boolean>;
  /** Forgets all answers of a scope; gives their number. */
  clear(scope: string): MaybePromise<number>;
  /** Lists the answers of a scope that have not expired. A cache without it cannot list. */
  list?(scope: string, question: AnswerListQuestion): MaybePromise<AnswerPage>;
  /** The size of a scope. A cache without it cannot tell. */
  size?(scope: string, now: number): MaybePromise<AnswerSize>;
  /** Lets go of connections. */
  close?(): Promise<void>;
}
