import { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ActiveMember, createActiveSet } from "./active-set.ts";

/** Milliseconds that a call waits for what it can do without: a settlement, an answer of the cache. */
export const optionalPortMs = 1_000;
/** Milliseconds for all that must be known, or be safe, before an answer, where no deadline of a call is shorter. */
export const requiredPortMs = 10_000;

/** Waits for ports, each time for the same span at most. */
export interface PortTimeout {
  /** The result of `work`; rejects with `store_unavailable` when `whose` answer takes longer. A later result is ignored. */
  wait<Value>(work: Promise<Value>, whose: string): Promise<Value>;
}

interface PendingPort extends ActiveMember {
  until: number;
  giveUp(): void;
}

/** Shares one wait among consecutive callers with the same work, such as requests whose rows are written together. */
export function sharedTimeout({ wait }: PortTimeout): PortTimeout {
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

/** One timer for all waits: one for each would cost every request half a microsecond. */
export function createPortTimeout(clock: Clock, ms: number): PortTimeout {
  const waiting = createActiveSet<PendingPort>();
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
  const leave = (one: PendingPort): void => {
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
        const one: PendingPort = { slot: 0, until: clock.now() + ms, giveUp };
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
