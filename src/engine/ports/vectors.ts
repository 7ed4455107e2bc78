import type { MaybePromise } from "../runtime/maybe-promise.ts";

/** A vector with the name of what it stands for. */
export interface NamedVector {
  /** Vectors of different spaces are never compared. */
  readonly space: string;
  /** Unique within a scope; a vector under a known id replaces the one before, in whichever space that was. */
  readonly id: string;
  /** At least one part. */
  readonly vector: ArrayLike<number>;
}

/** What is looked for. */
export interface VectorQuestion {
  readonly space: string;
  readonly vector: ArrayLike<number>;
  /** Cosine similarity that is needed, −1 to 1. */
  readonly atLeast: number;
}

/** The nearest neighbour. */
export interface Neighbour {
  readonly id: string;
  /** The cosine of the angle to the question, −1 to 1. */
  readonly similarity: number;
}

/**
 * Finds the vector that is nearest by angle. Every call names the scope that it acts in; a vector is never seen from another one. Only
 * vectors of one space and with as many parts are compared. A vector without direction (its length is zero, or no finite
 * number) is not kept and has no neighbour. Vectors may be dropped at any time.
 */
export interface VectorIndex {
  put(scope: string, vector: NamedVector): MaybePromise<void>;
  /** The nearest of the space, when it is near enough. */
  nearest(scope: string, question: VectorQuestion): MaybePromise<Neighbour | undefined>;
  /** Forgets one vector; tells whether it was there. */
  delete(scope: string, id: string): MaybePromise<boolean>;
  /** Forgets all vectors of a scope; gives their number. */
  clear(scope: string): MaybePromise<number>;
  /** Lets go of connections. */
  close?(): Promise<void>;
}
