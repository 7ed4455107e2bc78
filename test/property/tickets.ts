import type { Counters, Ticket } from "../../src/ports/counters.ts";

/** Counters that note what becomes of every ticket: how often each was settled or released. */
export function watched(inner: Counters): { counters: Counters; ends: Map<Ticket, number> } {
  const ends = new Map<Ticket, number>();
  const end = (ticket: Ticket, isFirst: boolean) => ends.set(ticket, (ends.get(ticket) ?? 0) + (isFirst ? 1 : 0));
  const counters: Counters = {
    ...inner,
    reserve(call) {
      const outcome = inner.reserve(call);
      if (!(outcome instanceof Promise) && outcome.kind === "ticket") ends.set(outcome, 0);
      return outcome;
    },
    settle(ticket, real, now) {
      const settlement = inner.settle(ticket, real, now);
      if (!(settlement instanceof Promise)) end(ticket, settlement.isFirst);
      return settlement;
    },
    release(ticket, now) {
      const isFirst = inner.release(ticket, now);
      if (typeof isFirst === "boolean") end(ticket, isFirst);
      return isFirst;
    },
  };
  return { counters, ends };
}
