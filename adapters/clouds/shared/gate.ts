import type { Abortable } from "../../../src/engine/runtime/abortable.ts";
import { abortError } from "../../shared/http/failure.ts";

/** Runs work when fewer than a number of others run. What waits does so in order, and no longer than its signal lets it. */
export type Gate = <T>(signal: Abortable, work: () => Promise<T>) => Promise<T>;

/** Opens a gate for so many at a time. */
export function openGate(width: number): Gate {
  let running = 0;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next(); // it takes this place
  };
  const enter = (signal: Abortable) =>
    new Promise<void>((resolve, reject) => {
      if (running < width) {
        running += 1;
        return resolve();
      }
      const onTurn = () => {
        waiting.delete(onTurn);
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting.delete(onTurn);
        signal.removeEventListener("abort", onAbort);
        reject(abortError(signal));
      };
      waiting.add(onTurn);
      signal.addEventListener("abort", onAbort);
    });
  return async (signal, work) => {
    if (signal.aborted) throw abortError(signal);
    await enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
