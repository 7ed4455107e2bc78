import { GatewayError } from "../errors.ts";
import type { Clock, Timeouts } from "../ports.ts";

/** Guards one attempt with a single timer: first content, gap between pieces, whole request. */
export interface Watch {
  /** The caller waits for the next piece from now on; the gap counts only while it does. */
  waiting(now: number): void;
  /** A piece came. */
  arrived(): void;
  stop(): void;
}

/** What a watch needs to know; `deadline` and `startedAt` in milliseconds since the epoch. */
interface WatchSettings {
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly startedAt: number;
  readonly deadline: number;
  readonly expire: (error: GatewayError) => void;
}

/** Starts to watch; calls `expire` once with `upstream_timeout` when a limit passes. */
export function startWatch(settings: WatchSettings): Watch {
  return new AttemptWatch(settings);
}

/** A class, since one is made for every attempt: closures would hold all that they see, each of them. */
class AttemptWatch implements Watch {
  readonly #settings: WatchSettings;
  #waitingSince: number | undefined;
  #isFirst = true;
  #limit: number;
  #until: number;
  #seen: number;
  #cancel: () => void;
  /** The timer was set for the first content, which has come. Most answers are whole, and over before a gap could begin. */
  #isOutdated = false;

  constructor(settings: WatchSettings) {
    const { timeouts, startedAt, deadline } = settings;
    this.#settings = settings;
    this.#waitingSince = startedAt;
    this.#limit = timeouts.firstContent;
    this.#until = deadline;
    this.#seen = startedAt;
    this.#cancel = this.#wakeIn(Math.min(this.#limit, deadline - startedAt));
  }

  waiting(now: number): void {
    this.#waitingSince = this.#look(now);
    if (!this.#isOutdated) return;
    this.#isOutdated = false;
    this.#cancel();
    this.#cancel = this.#wakeIn(Math.max(0, Math.min(this.#limit, this.#until - now)));
  }

  arrived(): void {
    this.#waitingSince = undefined;
    if (!this.#isFirst) return;
    this.#isFirst = false;
    this.#limit = this.#settings.timeouts.gap;
    this.#isOutdated = true;
  }

  stop(): void {
    this.#cancel();
  }

  #wakeIn(ms: number): () => void {
    return this.#settings.clock.after(ms, () => this.#check());
  }

  /** A clock that was set back must not lengthen the waiting by more than was waited since it was last looked at. */
  #look(now: number): number {
    if (now < this.#seen) {
      this.#until -= this.#seen - now;
      if (this.#waitingSince !== undefined) this.#waitingSince -= this.#seen - now;
    }
    this.#seen = now;
    return now;
  }

  #check(): void {
    const { clock, timeouts, expire } = this.#settings;
    const now = this.#look(clock.now());
    const due = (this.#waitingSince ?? now) + this.#limit;
    if (now >= this.#until) expire(tooLate(timeouts));
    else if (now >= due) expire(timeout(silence(this.#limit, this.#isFirst)));
    else this.#cancel = this.#wakeIn(Math.min(due, this.#until) - now);
  }
}

/** The error of a request whose whole time has passed. */
export function tooLate({ whole }: Timeouts): GatewayError {
  return timeout(`The request did not finish within ${whole} ms.`);
}

function silence(limit: number, isFirst: boolean): string {
  return isFirst ? `No content came within ${limit} ms.` : `The stream paused for more than ${limit} ms.`;
}

function timeout(message: string): GatewayError {
  return new GatewayError("upstream_timeout", message);
}
