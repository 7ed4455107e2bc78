import type { Clock, Random } from "../engine/ports/clock.ts";

/** A clock that stands still until it is advanced. */
export interface FakeClock extends Clock {
  /** Moves time forward by `ms`, firing what falls due, in order; work started by a timer runs before the next one fires. */
  advance(ms: number): Promise<void>;
  /** Timers that are still set: a leak shows here. */
  readonly pending: number;
}

/** How a fake clock begins and moves. */
export interface FakeClockOptions {
  /** Milliseconds since the epoch. */
  readonly startAt?: number | undefined;
  /**
   * Lets time jump to the next timer by itself whenever nothing else is left to do, so that back-off and deadlines pass
   * without waiting. For engines that do no real I/O.
   */
  readonly runsByItself?: boolean | undefined;
}

interface Timer {
  readonly at: number;
  readonly then: () => void;
}

/** A clock for tests: no wall time passes. Starts on 2026-01-01 by default. */
export function fakeClock({ startAt = 1_767_225_600_000, runsByItself = false }: FakeClockOptions = {}): FakeClock {
  const timers = new Set<Timer>();
  let now = startAt;
  let scheduled: NodeJS.Immediate | undefined;

  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (!first || timer.at < first.at) first = timer;
    return first;
  };
  const fire = (timer: Timer): void => {
    timers.delete(timer);
    now = Math.max(now, timer.at);
    timer.then();
  };
  const jump = (): void => {
    const timer = next();
    if (timer) fire(timer);
    if (timers.size > 0) schedule();
  };
  const schedule = (): void => {
    if (!runsByItself) return;
    clearImmediate(scheduled);
    scheduled = setImmediate(jump); // behind what was begun before the timer was set, e.g. a write that it guards
  };
  return {
    now: () => now,
    after(ms, then) {
      const timer = { at: now + Math.max(0, ms), then };
      timers.add(timer);
      schedule();
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        fire(timer);
        await settled();
      }
      now = end;
      await settled();
    },
    get pending() {
      return timers.size;
    },
  };
}

/** Lets everything that is ready to run, run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Chance for tests: gives the draws in turn, from the beginning again when they are used up. */
export function fakeChance(draws: readonly number[] = [0.5]): Random {
  let position = 0;
  return () => draws[position++ % draws.length] ?? 0.5;
}
