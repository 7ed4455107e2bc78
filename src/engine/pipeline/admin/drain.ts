import { GatewayError } from "../../errors.ts";
import { cancelCall } from "../call/call.ts";
import { optionalPortMs } from "../runtime/port-timeout.ts";
import type { Ports } from "../runtime/ports.ts";

/** Milliseconds for cancelled requests to write their ledger entries: unresponsive counters take half of it. */
const lastWordsMs = 2 * optionalPortMs;

/** Waits for the requests under way, and cancels what is left after `graceMs`. */
export async function drain(ports: Ports, graceMs: number): Promise<void> {
  await allSettled(ports, graceMs);
  for (const call of ports.calls)
    cancelCall(call, new GatewayError("shutting_down", "The gateway shut down meanwhile."));
  await allSettled(ports, lastWordsMs);
}

/** Resolves when no request is under way, not even one without a ledger entry, or after `graceMs`. */
function allSettled({ calls, clock }: Ports, graceMs: number): Promise<void> {
  if (calls.size === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const cancelTimer = clock.after(graceMs, resolve);
    calls.emptied().then(() => {
      cancelTimer();
      resolve();
    });
  });
}
