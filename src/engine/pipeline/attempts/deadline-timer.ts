import type { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Timeouts } from "../../ports/provider.ts";
import { deadlineExceeded, timeoutError } from "../call/within-deadline.ts";

/** Guards one attempt with a single timer: first content, gap between pieces, whole request. */
export interface DeadlineTimer {
  /** The caller waits for the next piece from now on; the gap counts only while it does. */
  waiting(now: number): void;
  /** A piece came. */
  arrived(): void;
  /** The vendor sent something that is no piece: a ping, a role, a thought that it hides. The wait for a piece counts anew. */
  alive(): void;
  stop(): void;
}

/** The settings of a timer; `deadline` and `startedAt` in milliseconds since the epoch. */
interface DeadlineTimerSettings {
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly startedAt: number;
  readonly deadline: number;
  readonly expire: (error: GatewayError) => void;
}

/** Starts the timer; calls `expire` once with `upstream_timeout` when a limit passes. */
export function startDeadlineTimer(settings: DeadlineTimerSettings): DeadlineTimer {
  return new AttemptDeadlineTimer(settings);
}

/** A class, since one is made for every attempt: each closure would retain all that it sees. */
class AttemptDeadlineTimer implements DeadlineTimer {
  readonly #settings: DeadlineTimerSettings;
  #waitingSince: number | undefined;
  #isFirst = true;
  #limit: number;
  #until: number;
  /** When the wait for the first content ends, whatever signs of life come. */
  #firstUntil: number;
  #seen: number;
  #cancel: () => void;
  /** The timer was set for the first content, which has come. Most answers are whole, and over before a gap could begin. */
  #isOutdated = false;

  constructor(settings: DeadlineTimerSettings) {
    const { timeouts, startedAt, deadline } = settings;
    this.#settings = settings;
    this.#waitingSince = startedAt;
    this.#limit = timeouts.firstContent;
    this.#until = deadline;
    this.#firstUntil = startedAt + (timeouts.firstContentMax ?? Number.POSITIVE_INFINITY);
    this.#seen = startedAt;
    this.#cancel = this.#wakeIn(Math.min(this.#limit, this.#firstUntil - startedAt, deadline - startedAt));
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
    this.#firstUntil = Number.POSITIVE_INFINITY;
    this.#limit = this.#settings.timeouts.gap;
    this.#isOutdated = true;
  }

  alive(): void {
    if (this.#waitingSince !== undefined) this.#waitingSince = this.#look(this.#settings.clock.now());
  }

  stop(): void {
    this.#cancel();
  }

  #wakeIn(ms: number): () => void {
    return this.#settings.clock.after(ms, () => this.#check());
  }

  /** A clock that was set back must not extend the wait by more than the time since the last look at it. */
  #look(now: number): number {
    if (now < this.#seen) {
      this.#until -= this.#seen - now;
      this.#firstUntil -= this.#seen - now;
      if (this.#waitingSince !== undefined) this.#waitingSince -= this.#seen - now;
    }
    this.#seen = now;
    return now;
  }

  #check(): void {
    const { clock, timeouts, expire } = this.#settings;
    const now = this.#look(clock.now());
    const due = (this.#waitingSince ?? now) + this.#limit;
    if (now >= this.#until) expire(deadlineExceeded(timeouts));
    else if (now >= due) expire(timeoutError(silence(this.#limit, this.#isFirst)));
    else if (now >= this.#firstUntil) expire(timeoutError(withoutContent(timeouts.firstContentMax)));
    else this.#cancel = this.#wakeIn(Math.min(due, this.#firstUntil, this.#until) - now);
  }
}

function silence(limit: number, isFirst: boolean): string {
  return isFirst ? `No content came within ${limit} ms.` : `The stream paused for more than ${limit} ms.`;
}

function withoutContent(limit: number | undefined): string {
  return `No content came within ${limit} ms, although the provider was alive.`;
}
