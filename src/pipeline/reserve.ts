import type { ReserveCall, Shortfall, Ticket } from "../ports/counters.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import { announceDefect, type Call } from "./call.ts";
import { untilOver } from "./until-over.ts";

/** Reserves what a target may take. Counters that do not answer keep no call beyond its end: a ticket that comes later is given back. */
export function reserveWithin(call: Call, wish: ReserveCall): MaybePromise<Ticket | Shortfall> {
  const outcome = call.ports.books.counters.reserve(wish);
  if (!(outcome instanceof Promise)) return outcome;
  return untilOver(call, outcome, () => {
    outcome.then((late) => giveBack(call, late)).catch((thrown) => announceDefect(call, thrown));
  });
}

async function giveBack({ ports: { books, clock } }: Call, late: Ticket | Shortfall): Promise<void> {
  if (late.kind === "ticket") await books.counters.release(late, clock.now());
}
