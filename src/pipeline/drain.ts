import { GatewayError } from "../errors.ts";
import { cancelCall } from "./call.ts";
import type { Ports } from "./ports.ts";

/** Waits for the requests under way, cancels what is left after `graceMs`, and lets go of the providers' sockets. */
export async function drain(ports: Ports, graceMs: number): Promise<void> {
  await allSettled(ports, graceMs);
  for (const call of ports.calls)
    cancelCall(call, new GatewayError("shutting_down", "The gateway shut down meanwhile."));
  await Promise.all([...ports.providers.values()].map((provider) => provider.close?.()));
}

/** Resolves when no request is under way, or after `graceMs`. */
function allSettled({ calls, clock, events }: Ports, graceMs: number): Promise<void> {
  if (calls.size === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancelTimer();
      events.off("settled", check);
      resolve();
    };
    const check = () => {
      if (calls.size === 0) finish();
    };
    const cancelTimer = clock.after(graceMs, finish);
    events.on("settled", check);
  });
}
