import type { MaybePromise } from "../runtime/maybe-promise.ts";

/** An answer as it is kept. Holds no credential and nothing of the call that asked for it. */
export interface CachedAnswer {
  /** The whole answer as JSON, without `extra_fields` and cost. */
  readonly body: string;
  /** Who gave it: the provider, and its own name of the model. */
  readonly provider: string;
  readonly deployment: string;
  /** What it cost, in nano-dollars: what is saved whenever it is given again. */
  readonly cost: number;
  /** What the provider could not honour. */
  readonly warnings: readonly string[];
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /** From then on it is not given any more. */
  readonly expiresAt: number;
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
  /** Lets go of connections. */
  close?(): Promise<void>;
}
