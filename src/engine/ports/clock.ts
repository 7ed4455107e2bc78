/** Time as an argument: milliseconds since the epoch, and timers that can be taken back. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `then` once after `ms`; the returned function takes it back and may be called at any time, more than once. */
  after(ms: number, then: () => void): () => void;
}

/** Chance as an argument: uniform in [0, 1). */
export type Random = () => number;

/** Random bytes, fresh and unguessable. */
export type Entropy = (bytes: number) => Uint8Array;

/** Fresh identifiers that sort by time of making. */
export type Ids = () => string;
