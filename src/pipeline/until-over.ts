import type { GatewayError } from "../errors.ts";
import type { Call } from "./call.ts";
import { dismiss, enlist } from "./interrupt.ts";
import { tooLate } from "./watch.ts";

/**
 * Waits for what a port was asked, no longer than the call lives: rejects with what ended it, its deadline or its caller. `leave` is told
 * then, since the answer may come later. Who lost a race waits on: it has a line of the bill.
 */
export function untilOver<Value>(call: Call, answer: Promise<Value>, leave: () => void = () => {}): Promise<Value> {
  const { clock } = call.ports;
  return new Promise((resolve, reject) => {
    const end = (error: GatewayError): void => {
      if (error === call.lost) return;
      stopWaiting();
      leave();
      reject(error);
    };
    const stopTimer = clock.after(Math.max(0, call.deadline - clock.now()), () => end(tooLate(call.timeouts)));
    const stopWaiting = (): void => {
      stopTimer();
      dismiss(call, end);
    };
    enlist(call, end);
    answer.finally(stopWaiting).then(resolve, reject);
    if (call.cancelled) end(call.cancelled);
  });
}
