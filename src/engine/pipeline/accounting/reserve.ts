import type { CounterReservation, ReserveCall, Shortfall } from "../../ports/counters.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { type Call, emitDefect } from "../call/call.ts";
import { withinDeadline } from "../call/within-deadline.ts";

/** Reserves what a target may use. Unresponsive counters keep no call beyond its end: a late reservation is released. */
export function reserveWithin(call: Call, reservation: ReserveCall): MaybePromise<CounterReservation | Shortfall> {
  const outcome = call.ports.accounting.counters.reserve(reservation);
  if (!(outcome instanceof Promise)) return outcome;
  return withinDeadline(call, outcome, () => {
    outcome.then((late) => giveBack(call, late)).catch((thrown) => emitDefect(call, thrown));
  });
}

async function giveBack({ ports: { accounting, clock } }: Call, late: CounterReservation | Shortfall): Promise<void> {
  if (late.kind === "reserved") await accounting.counters.release(late, clock.now());
}
