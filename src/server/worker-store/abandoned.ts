import type { CounterReservation, Counters, CounterValue } from "../../engine/ports/counters.ts";

/** A reservation of a worker. */
export interface WorkerReservation {
  readonly reservation: CounterReservation;
  /** What was spent of it so far; absent while nothing is known to be. */
  readonly reduced: readonly number[] | undefined;
}

/** Reservations of workers that died, until they lapse. */
export interface AbandonedReservations {
  add(reservations: Iterable<WorkerReservation>): void;
  /** Gives back what has expired by `now`, but for what was spent; returns the values that counters have thereby. */
  lapse(now: number): readonly CounterValue[];
}

/** Hard amounts, which memory would hold until their window ends, lapse too: no process is left to settle them. */
export function abandonedReservations(counters: Counters): AbandonedReservations {
  let open: WorkerReservation[] = [];
  let next = Infinity;
  const end = ({ reservation, reduced }: WorkerReservation, now: number): readonly CounterValue[] => {
    if (!reduced) void counters.release(reservation, now);
    const settled = reduced && counters.settle(reservation, reduced, now);
    return settled && !(settled instanceof Promise) ? settled.values : [];
  };
  return {
    add(reservations) {
      open.push(...reservations);
      for (const { reservation } of open) next = Math.min(next, reservation.expiresAt);
    },
    lapse(now) {
      if (now < next) return [];
      const over = open.filter(({ reservation }) => reservation.expiresAt <= now);
      open = open.filter(({ reservation }) => reservation.expiresAt > now);
      next = Math.min(Infinity, ...open.map(({ reservation }) => reservation.expiresAt));
      return over.flatMap((each) => end(each, now));
    },
  };
}
