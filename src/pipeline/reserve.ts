import type { GatewayError } from "../errors.ts";
import type { ReserveCall, Shortfall, Ticket } from "../ports/counters.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import { announceDefect, type Call } from "./call.ts";
import { dismiss, enlist } from "./interrupt.ts";
import { tooLate } from "./watch.ts";

/**
 * Reserves what a target may take. Counters that do not answer keep no call beyond its deadline, nor one that is cancelled: it rejects
 * with what ended it, and a ticket that comes later is given back. Who lost a race waits for its ticket: it has a line of the bill.
 */
export function reserveWithin(call: Call, wish: ReserveCall): MaybePromise<Ticket | Shortfall> {
  const outcome = call.ports.books.counters.reserve(wish);
  return outcome instanceof Promise ? untilOver(call, outcome) : outcome;
}

function untilOver(call: Call, outcome: Promise<Ticket | Shortfall>): Promise<Ticket | Shortfall> {
  const { clock } = call.ports;
  return new Promise((resolve, reject) => {
    const leave = (error: GatewayError): void => {
      if (error === call.lost) return;
      stopWaiting();
      outcome.then((late) => giveBack(call, late)).catch((thrown) => announceDefect(call, thrown));
      reject(error);
    };
    const stopTimer = clock.after(Math.max(0, call.deadline - clock.now()), () => leave(tooLate(call.timeouts)));
    const stopWaiting = (): void => {
      stopTimer();
      dismiss(call, leave);
    };
    enlist(call, leave);
    outcome.finally(stopWaiting).then(resolve, reject);
    if (call.cancelled) leave(call.cancelled);
  });
}

async function giveBack({ ports: { books, clock } }: Call, late: Ticket | Shortfall): Promise<void> {
  if (late.kind === "ticket") await books.counters.release(late, clock.now());
}
