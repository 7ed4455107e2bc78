import type { MaybePromise } from "../runtime/maybe-promise.ts";
import type { Slots } from "./slots.ts";

/** A span of time in milliseconds since the epoch: `start` belongs to it, `end` does not. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** What a call would add to one counter. All numbers are whole and not negative. */
export interface Hold {
  /** Names the count; calls that name the same counter share it. */
  readonly counter: string;
  readonly amount: number;
  /** The limit travels with the call and is not kept: a changed limit holds from the next call on. */
  readonly limit: number;
  /** The window that opens when none is open at `now`; it contains `now`. An open window stays until its own end. */
  readonly opens: Window;
  /**
   * What becomes of the amount when the ticket expires. `true`: it stays reserved until its window ends, because it may have been
   * spent, so that the limit holds even then; counters that outlive a process may be set to give it back before, so that the death of
   * a process does not tie up a budget for ever. `false`: it is given back.
   */
  readonly isHard: boolean;
}

/** A wish to reserve several amounts together. */
export interface ReserveCall {
  /** A fresh name for the ticket, unique among all processes that share the counters. */
  readonly reservationId: string;
  /** In the order in which they are checked; no counter twice. */
  readonly holds: readonly Hold[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the reservation lapses unless it was settled or released: the process that made it is taken for dead. */
  readonly expiresAt: number;
}

/** An amount that is reserved. */
export interface ReservedAmount {
  readonly counter: string;
  readonly amount: number;
  /** The window that it is reserved in, and that will be charged, however late. */
  readonly window: Window;
  /** What the limit leaves, this reservation taken off. */
  readonly left: number;
}

/** A reservation. It is settled or released with the very object that `reserve` gave. */
export interface CounterReservation {
  readonly kind: "reserved";
  readonly id: string;
  readonly expiresAt: number;
  /** One for each hold, in the same order. */
  readonly held: readonly ReservedAmount[];
}

/** Why nothing was reserved: one hold did not fit. */
export interface Shortfall {
  readonly kind: "shortfall";
  /** Position among `holds` of the first that does not fit. */
  readonly position: number;
  /** What is left of its limit, never negative. */
  readonly left: number;
  /** When its window ends. */
  readonly resetsAt: number;
  /** What calls under way hold of it; absent where the counters do not say. */
  readonly reserved?: number | undefined;
}

/** How much a counter holds in one window: what outlives a restart. */
export interface CounterValue extends Window {
  readonly counter: string;
  readonly used: number;
}

/** How much a counter holds in its open window, for display. */
export interface CounterReading extends CounterValue {
  readonly reserved: number;
}

/** What settling a ticket did. */
export interface Settlement {
  /** False when the ticket had been settled or released before; then nothing was changed. */
  readonly isFirst: boolean;
  /**
   * The counters that were charged, for a store to keep, also in windows that are over meanwhile: others may still settle in those.
   * They hold what was settled, never what is reserved. Empty when the adapter outlives the process by itself. They may be live: read them when they are written, not before.
   */
  readonly values: readonly CounterValue[];
}

/** What a ledger says of counters that were lost. */
export interface RebuildSource {
  /** What counters hold in a window that may be open; each value's window contains the present. */
  valuesOf(counters: readonly { readonly counter: string; readonly opens: Window }[]): Promise<readonly CounterValue[]>;
  /** False while nobody has written a bill: nothing can have been counted that was not counted by the caller. */
  hasEntries(): Promise<boolean>;
}

/**
 * Counts that hold under concurrency: reserve before a call, settle its real amounts after it. Every method is atomic over all the
 * counters it names, and needs only them, the time and the ticket, so that an adapter over a shared server can do each in one
 * script. Answers need not be promises.
 */
export interface Counters {
  /**
   * Reserves every amount, or none: a hold does not fit when used + reserved + amount > limit, in the window that is open at `now`.
   * The first use of a counter opens its window; so does the first use after the end of the last one. A call waits for the answer until
   * its deadline at most; a ticket that comes when the call is over is released.
   */
  reserve(call: ReserveCall): MaybePromise<CounterReservation | Shortfall>;
  /**
   * Replaces each reserved amount by the real one (`real[i]` for `held[i]`), which may be larger. Charges the window that the amount
   * was reserved in: when that one is over, the open one is left alone. Counts an expired ticket too. Only the first settle or
   * release of a ticket does anything. The answer of the call waits a second at most; standings that come later are handed to the ledger then.
   */
  settle(reservation: CounterReservation, real: readonly number[], now: number): MaybePromise<Settlement>;
  /**
   * Replaces each reserved amount by the real one, as `settle` does, but keeps it reserved until the ticket is settled or released,
   * also when the ticket expires: it was spent. For who failed while the call goes on to others: what the limits leave is right from
   * now on, and no standing holds what no ledger has yet. Resolves to false when the ticket was settled or released before. Absent
   * where settlements give no standings: such a ticket is settled at once.
   */
  reduce?(reservation: CounterReservation, real: readonly number[], now: number): MaybePromise<boolean>;
  /** Gives everything back, as if the call had never been. Resolves to false when the ticket was settled or released before. */
  release(reservation: CounterReservation, now: number): MaybePromise<boolean>;
  /** What the counters hold at `now`; `undefined` for one without an open window. */
  read(counters: readonly string[], now: number): MaybePromise<readonly (CounterReading | undefined)[]>;
  /**
   * Sets what counters hold in a window, as after a restart; what is reserved in that same window stays. Windows that are over are ignored.
   * Absent where counters outlive the process by themselves, and others may be counting: nothing is restored there. It may be absent from
   * the moment on when others begin to count.
   */
  readonly restore?: ((limits: readonly CounterValue[], now: number) => MaybePromise<void>) | undefined;
  /**
   * Called once, before the first reservation, by an engine with a ledger: a shared store that comes back empty is then rebuilt from it,
   * counter by counter, before anything is reserved of one. Absent where counters are lost with the process, and restored.
   */
  rebuildFrom?(source: RebuildSource): void;
  /** Counts of calls under way; absent where they cannot be counted, and `max_in_flight` cannot be used. */
  readonly slots?: Slots;
  /** Lets go of connections. */
  close?(): Promise<void>;
}
