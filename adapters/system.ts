import { randomBytes } from "node:crypto";
import type { Clock, Ids, Random } from "../src/ports.ts";
import { longestTimer } from "./shared/timer.ts";

/** The machine's clock. Its timers keep the process alive no longer than the work they guard. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, then) {
    if (ms > longestTimer) return afterLong(ms, then);
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

function afterLong(ms: number, then: () => void): () => void {
  let cancel = systemClock.after(longestTimer, () => {
    cancel = systemClock.after(ms - longestTimer, then);
  });
  return () => cancel();
}

/** The machine's chance. */
export const systemRandom: Random = Math.random;

/** Identifiers `evt_…` that sort by time: milliseconds, then a mark of this process, then a counter. */
export function systemIds(): Ids {
  const mark = randomBytes(6).toString("hex");
  let count = 0;
  let at = 0;
  let prefix = "";
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      count = 0;
      prefix = `evt_${now.toString(36).padStart(9, "0")}${mark}`;
    }
    return prefix + (count++).toString(36).padStart(4, "0");
  };
}
