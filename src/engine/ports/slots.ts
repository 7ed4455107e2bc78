import type { MaybePromise } from "../runtime/maybe-promise.ts";

/** A bound of calls under way: of a key, a project or a customer. */
export interface SlotLimit {
  /** Names the count; all who name it share it. */
  readonly counter: string;
  /** Travels with the call and is not kept: a changed bound holds from the next call on. */
  readonly limit: number;
}

/** What one call takes of the bounds that hold for it. */
export interface SlotLease {
  /** Unique among all processes that share the counters. */
  readonly id: string;
  readonly limits: readonly SlotLimit[];
}

/** Counts of calls under way. Every method is atomic over all the counters of a lease. Answers need not be promises. */
export interface Slots {
  /**
   * Takes a slot of each counter, or none: then it answers the position among `limits` of the first that is full, else `undefined`. The
   * slots come back by themselves at `expiresAt` (milliseconds since the epoch, like `now`): the process that took them is then
   * presumed dead. A lease that is held is extended to `expiresAt`, whatever its limits are now, and takes no more.
   */
  acquire(lease: SlotLease, now: number, expiresAt: number): MaybePromise<number | undefined>;
  /** Gives the slots back; does nothing for a lease that is not held. */
  free(lease: SlotLease): MaybePromise<void>;
}
