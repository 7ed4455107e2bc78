import { performance } from "node:perf_hooks";

/** How long the event loop waited for work and how long it worked, in milliseconds since the process began. */
interface LoopTimes {
  readonly idle: number;
  readonly active: number;
}

/** Milliseconds between two looks at the loop: a look costs two microseconds. */
const lookEveryMs = 10;

/** Milliseconds over which the load is averaged: one long callback of a loop with time to spare does not fill it. */
const memoryMs = 60;

/** The shares of time at which the loop counts as full, and as no longer full: gathering saves a third of the work. */
const fullAt = 0.96;
const spareAt = 0.6;

/**
 * Tells whether the event loop has no time to spare: what arrives then waits in the kernel. There is no timer: it looks when it is asked,
 * at what the loop has counted since.
 */
export class LoopLoad {
  readonly #timesOf: () => LoopTimes;
  #seen: LoopTimes;
  #lookedAt: number;
  #load = 0;
  #isFull = false;

  constructor(now: number, timesOf: () => LoopTimes) {
    this.#timesOf = timesOf;
    this.#seen = timesOf();
    this.#lookedAt = now;
  }

  /** `now` in milliseconds, from any origin. */
  isFull(now: number): boolean {
    const since = now - this.#lookedAt;
    if (since >= lookEveryMs) this.#look(now, since);
    return this.#isFull;
  }

  #look(now: number, since: number): void {
    const times = this.#timesOf();
    const active = times.active - this.#seen.active;
    const passed = active + times.idle - this.#seen.idle;
    this.#lookedAt = now;
    this.#seen = times;
    if (passed <= 0) return;
    this.#load += (active / passed - this.#load) * (1 - Math.exp(-since / memoryMs));
    if (this.#load >= fullAt) this.#isFull = true;
    else if (this.#load < spareAt) this.#isFull = false;
  }
}

/** The load of this thread's loop. */
export const loopLoad = new LoopLoad(performance.now(), () => performance.eventLoopUtilization());
