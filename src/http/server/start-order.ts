import { GatewayError } from "../../engine/errors.ts";
import type { Clock } from "../../engine/ports/clock.ts";

/** How long requests wait for their start. */
export interface StartOrderOptions {
  /** Milliseconds after which a waiting request makes the listener refuse new ones; 0 for never. */
  readonly startWaitMs: number;
  readonly clock: Pick<Clock, "now">;
  /** Runs `work` when the sockets that have something were read. */
  readonly nextTurn?: (work: () => void) => unknown;
}

/** Begins a request; with a fault it is answered with that and nothing else. */
export type StartRequest = (fault: GatewayError | undefined) => void;

/** Milliseconds after which a waiting request makes the listener refuse new ones. */
export const defaultStartWaitMs = 10_000;

/** Requests that may begin in one turn of the loop, whatever runs. */
export const leastPerTurn = 32;

/** Running streams for each of which one more request may begin in a turn: a start costs about as much as five events. */
export const streamsPerStart = 4;

/** Requests that wait at most; their bodies are unread, so each is a head and a socket. */
const mostWaiting = 16_384;

interface WaitingRequest {
  readonly start: StartRequest;
  readonly since: number;
}

/**
 * Shares the turns of the event loop between streams that have begun and requests that have not. While a stream runs, a turn begins
 * at most 32 requests, or one for every four streams where that is more; the rest wait for the next turns in the order in which they
 * came. So a burst of new requests delays a running stream by the length of a few starts, and running streams, however many, leave new
 * requests their share. Without a stream every request begins at once. When the first in line has waited `startWaitMs`, what comes is refused.
 */
export class StartOrder {
  readonly #startWaitMs: number;
  readonly #clock: Pick<Clock, "now">;
  readonly #nextTurn: (work: () => void) => unknown;
  #streams = 0;
  #startedInTurn = 0;
  #isTurnPlanned = false;
  #waiting: WaitingRequest[] = [];
  /** How many of those have begun. */
  #first = 0;

  constructor({ startWaitMs, clock, nextTurn = setImmediate }: StartOrderOptions) {
    this.#startWaitMs = startWaitMs;
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Begins a request now, in a later turn, or with the fault `overloaded`. */
  begin(start: StartRequest): void {
    const isFree = this.waiting === 0 && (this.#streams === 0 || this.#startedInTurn < this.#share());
    if (isFree) this.#start(start);
    else if (this.#isOverdue()) start(overloaded());
    else {
      this.#waiting.push({ start, since: this.#clock.now() });
      this.#planTurn();
    }
  }

  /** Counts a stream as running until its end. */
  async whileRunning(stream: Promise<void> | void): Promise<void> {
    this.#streams += 1;
    try {
      await stream;
    } finally {
      this.#streams -= 1;
    }
  }

  #share(): number {
    return Math.max(leastPerTurn, Math.ceil(this.#streams / streamsPerStart));
  }

  #start(start: StartRequest): void {
    if (this.#streams > 0) {
      this.#startedInTurn += 1;
      this.#planTurn();
    }
    start(undefined);
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    this.#nextTurn(this.#beginTurn);
  }

  readonly #beginTurn = (): void => {
    this.#isTurnPlanned = false;
    this.#startedInTurn = 0;
    while (this.waiting > 0 && (this.#streams === 0 || this.#startedInTurn < this.#share())) {
      const next = this.#waiting[this.#first] as WaitingRequest;
      this.#first += 1;
      this.#startedInTurn += 1;
      next.start(undefined);
    }
    this.#forgetStarted();
    if (this.waiting > 0) this.#planTurn();
  };

  #isOverdue(): boolean {
    if (this.waiting >= mostWaiting) return true;
    const first = this.#waiting[this.#first];
    return first !== undefined && this.#startWaitMs > 0 && this.#clock.now() - first.since >= this.#startWaitMs;
  }

  #forgetStarted(): void {
    if (this.#first < this.#waiting.length / 2) return;
    this.#waiting = this.#waiting.slice(this.#first);
    this.#first = 0;
  }
}

function overloaded(): GatewayError {
  const message = "More requests wait to be begun than the gateway can begin in time; try again in a moment.";
  return new GatewayError("overloaded", message, { retryAfterMs: 1_000 });
}
