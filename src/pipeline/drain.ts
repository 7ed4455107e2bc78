import { GatewayError } from "../errors.ts";
import { cancelCall } from "./call.ts";
import { shortMs } from "./patience.ts";
import type { Ports } from "./ports.ts";

/** Milliseconds that requests which were cancelled get to write down what they cost: counters that do not answer take half of it. */
const lastWordsMs = 2 * shortMs;

/** Waits for the requests under way, and cancels what is left after `graceMs`. */
export async function drain(ports: Ports, graceMs: number): Promise<void> {
  await allSettled(ports, graceMs);
  for (const call of ports.calls)
    cancelCall(call, new GatewayError("shutting_down", "The gateway shut down meanwhile."));
  await allSettled(ports, lastWordsMs);
}

/** Resolves when no request is under way, those that are in no ledger among them, or after `graceMs`. */
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
