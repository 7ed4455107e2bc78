import type { Clock } from "../../../engine/ports/clock.ts";

/**
 * Renews a lease periodically until the returned function is called, or until `renew` says that there is nothing to renew. A renewal
 * that fails is tried again at the next time: the store may recover, and until then the lease decides.
 */
export function keepRenewing(clock: Clock, everyMs: number, renew: () => Promise<boolean>): () => void {
  let stopTimer = () => {};
  let isOver = false;
  const wait = () => {
    if (isOver) return;
    stopTimer = clock.after(everyMs, () => {
      renew().then((isHeld) => isHeld && wait(), wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    stopTimer();
  };
}
