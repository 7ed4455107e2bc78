import type { CounterReservation, Counters } from "../../../../src/engine/ports/counters.ts";

/** Counters that note what becomes of every reservationId: how often each was settled or released. */
export function watched(inner: Counters): { counters: Counters; ends: Map<CounterReservation, number> } {
  const ends = new Map<CounterReservation, number>();
  const end = (reservationId: CounterReservation, isFirst: boolean) =>
    ends.set(reservationId, (ends.get(reservationId) ?? 0) + (isFirst ? 1 : 0));
  const counters: Counters = {
    ...inner,
    reserve(call) {
      const outcome = inner.reserve(call);
      if (!(outcome instanceof Promise) && outcome.kind === "reserved") ends.set(outcome, 0);
      return outcome;
    },
    settle(reservationId, real, now) {
      const settlement = inner.settle(reservationId, real, now);
      if (!(settlement instanceof Promise)) end(reservationId, settlement.isFirst);
      return settlement;
    },
    release(reservationId, now) {
      const isFirst = inner.release(reservationId, now);
      if (typeof isFirst === "boolean") end(reservationId, isFirst);
      return isFirst;
    },
  };
  return { counters, ends };
}
