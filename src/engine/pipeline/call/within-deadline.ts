import { GatewayError } from "../../errors.ts";
import type { Timeouts } from "../../ports/provider.ts";
import { offCancel, onCancel } from "../runtime/cancellation.ts";
import type { Call } from "./call.ts";

/**
 * Waits for a port's answer, no longer than the call lives: rejects with what ended it, its deadline or its caller. `leave` is
 * called then, since the answer may come later. The loser of a race waits on: it has a line of the bill.
 */
export function withinDeadline<Value>(
  call: Call,
  answer: Promise<Value>,
  leave: () => void = () => {},
): Promise<Value> {
  const { clock } = call.ports;
  return new Promise((resolve, reject) => {
    const end = (error: GatewayError): void => {
      if (error === call.lostRace) return;
      stopWaiting();
      leave();
      reject(error);
    };
    const stopTimer = clock.after(Math.max(0, call.deadline - clock.now()), () => end(deadlineExceeded(call.timeouts)));
    const stopWaiting = (): void => {
      stopTimer();
      offCancel(call, end);
    };
    onCancel(call, end);
    answer.finally(stopWaiting).then(resolve, reject);
    if (call.cancelled) end(call.cancelled);
  });
}

/** The error of a request whose whole time has passed: `upstream_timeout`. */
export function deadlineExceeded({ whole }: Pick<Timeouts, "whole">): GatewayError {
  return timeoutError(`The request did not finish within ${whole} ms.`);
}

/** An `upstream_timeout` with this message. */
export function timeoutError(message: string): GatewayError {
  return new GatewayError("upstream_timeout", message);
}
