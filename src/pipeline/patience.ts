import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { createRoster, type Enrolled } from "./roster.ts";

/** Milliseconds that a call waits for what it can do without: a settlement, an answer of the cache. */
export const shortMs = 1_000;
/** Milliseconds for all that must be known, or be safe, before anything is told, where no deadline of a call says less. */
export const longMs = 10_000;

/** Waits for ports, each time for the same span at most. */
export interface Patience {
  /** What `work` comes to; rejects with `store_unavailable` when `whose` answer takes longer. What comes later is nobody's. */
  wait<Value>(work: Promise<Value>, whose: string): Promise<Value>;
}

interface Waiting extends Enrolled {
  until: number;
  giveUp(): void;
}

/** The same wait for all who ask for the same work in turn, as the requests do whose rows are written together. */
export function sharing({ wait }: Patience): Patience {
  let last: Promise<unknown> | undefined;
  let waited: Promise<unknown> | undefined;
  return {
    wait<Value>(work: Promise<Value>, whose: string): Promise<Value> {
      if (work !== last || waited === undefined) {
        last = work;
        waited = wait(work, whose);
      }
      return waited as Promise<Value>; // that of the same work
    },
  };
}

/** One timer for all who wait: one for each would cost every request half a microsecond. */
export function createPatience(clock: Clock, ms: number): Patience {
  const waiting = createRoster<Waiting>();
  let stopTimer: (() => void) | undefined;
  const look = (): void => {
    const now = clock.now();
    let next = Infinity;
    for (const one of waiting) {
      one.until = Math.min(one.until, now + ms); // the clock may have been set back
      if (one.until <= now) one.giveUp();
      else next = Math.min(next, one.until);
    }
    stopTimer = next === Infinity ? undefined : clock.after(Math.min(ms, next - now), look);
  };
  const leave = (one: Waiting): void => {
    waiting.remove(one);
    if (waiting.size > 0) return;
    stopTimer?.();
    stopTimer = undefined;
  };
  return {
    wait: (work, whose) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          leave(one);
          reject(new GatewayError("store_unavailable", `The ${whose} did not answer within ${ms} ms.`));
        };
        const one: Waiting = { place: 0, until: clock.now() + ms, giveUp };
        waiting.add(one);
        stopTimer ??= clock.after(ms, look);
        work.then(
          (value) => {
            leave(one);
            resolve(value);
          },
          (thrown: unknown) => {
            leave(one);
            reject(thrown);
          },
        );
      }),
  };
}
