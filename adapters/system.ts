import { randomBytes } from "node:crypto";
import type { Clock, Ids, Random } from "../src/engine/ports/clock.ts";
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

/** Two digits of base 36, all of them: V8 takes longer to write one such number than for the rest of an identifier. */
const pairs: readonly string[] = Array.from({ length: 36 * 36 }, (_, number) => number.toString(36).padStart(2, "0"));
/** Identifiers of one millisecond, which is more than can be made in it. */
const most = pairs.length * pairs.length;

/** Identifiers `evt_…` that sort by time: milliseconds, then a mark of this process, then a counter. None comes twice where the clock is set back. */
export function systemIds(): Ids {
  const mark = randomBytes(6).toString("hex");
  let count = 0;
  let at = 0;
  let prefix = "";
  return () => {
    const now = Date.now();
    if (now > at || count === most) {
      at = Math.max(now, at + 1);
      count = 0;
      prefix = `evt_${at.toString(36).padStart(9, "0")}${mark}`;
    }
    const context = count++;
    return prefix + pairs[Math.floor(context / pairs.length)] + pairs[context % pairs.length];
  };
}
