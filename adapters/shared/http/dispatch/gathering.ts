import { loopLoad } from "./loop-load.ts";

/** What holds pieces back for a moment. */
export interface Gatherer {
  /** Hands over what is held, if anything still is. */
  handOver(): void;
}

/** When pieces of running streams are gathered, and for how long. */
export interface PieceGathering {
  /** True while the event loop has no time to spare; `now` in milliseconds, as `performance.now` has it. */
  isDue(now: number): boolean;
  /** Releases a stream after `ms` milliseconds. */
  hold(stream: Gatherer, ms: number): void;
}

/** Milliseconds for which streams are released in one turn of the loop: what else has come is served before the next ones. */
const releaseMs = 8;

/** Streams that are due within so many milliseconds share a timer. */
const sharedMs = 3;

interface HeldStream {
  readonly stream: Gatherer;
  readonly dueAt: number;
}

/** The clock of a gathering. */
interface GatheringClock {
  now(): number;
  after(ms: number, work: () => void): void;
  /** Runs `work` when the sockets that have something were read. */
  nextTurn(work: () => void): void;
}

const ownClock: GatheringClock = {
  now: () => performance.now(),
  after: (ms, work) => void setTimeout(work, ms),
  nextTurn: (work) => void setImmediate(work),
};

/** The gathering of this thread. */
export const ownGathering = createGathering((now) => loopLoad.isFull(now));

/** Streams are released in the order in which they were held, on one timer for all that are held as long. */
export function createGathering(isDue: (now: number) => boolean, clock = ownClock): PieceGathering {
  const queues = new Map<number, HeldStreams>();
  return {
    isDue,
    hold(stream, ms) {
      let queue = queues.get(ms);
      if (queue === undefined) {
        queue = new HeldStreams(clock);
        queues.set(ms, queue);
      }
      queue.add(stream, ms);
    },
  };
}

/** The streams that are held equally long: the first is always the next. */
class HeldStreams {
  readonly #clock: GatheringClock;
  #held: HeldStream[] = [];
  /** How many of those have been released. */
  #first = 0;
  #isPlanned = false;

  constructor(clock: GatheringClock) {
    this.#clock = clock;
  }

  add(stream: Gatherer, ms: number): void {
    this.#held.push({ stream, dueAt: this.#clock.now() + ms });
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#clock.after(ms, this.#releaseDue);
  }

  readonly #releaseDue = (): void => {
    const startedAt = this.#clock.now();
    const until = startedAt + sharedMs;
    while (this.#clock.now() - startedAt < releaseMs) {
      const next = this.#held[this.#first];
      if (next === undefined || next.dueAt > until) {
        this.#waitFor(next, until);
        return;
      }
      this.#first += 1;
      next.stream.handOver();
    }
    this.#forgetReleased();
    this.#clock.nextTurn(this.#releaseDue);
  };

  #waitFor(next: HeldStream | undefined, until: number): void {
    if (next) this.#clock.after(next.dueAt - until + sharedMs, this.#releaseDue);
    else this.#empty();
  }

  #empty(): void {
    this.#held = [];
    this.#first = 0;
    this.#isPlanned = false;
  }

  #forgetReleased(): void {
    if (this.#first < this.#held.length / 2) return;
    this.#held = this.#held.slice(this.#first);
    this.#first = 0;
  }
}
