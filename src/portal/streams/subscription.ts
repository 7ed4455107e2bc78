import type { Clock } from "../../engine/ports/clock.ts";

/** One event as it is sent: its id, its name and its fields. */
export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of one second that are sent; the others are counted (CONSOLE, B1.5). */
const mostPerSecond = 20;

/** The events that wait for a slow reader. */
const mostWaiting = 200;

/** A reader has to come back with `Last-Event-ID` after five minutes: until then the rights of its caller are not looked at again. */
const longestMs = 5 * 60_000;
const tickMs = 1_000;

/** What a subscription is opened over. */
interface SubscriptionSource {
  readonly clock: Clock;
  /** True when the process takes no new work: the subscription ends. */
  isOver(): boolean;
  /** Begins to offer events, which are made only if they are sent; the returned function ends that. */
  start(subscription: { offer(make: () => SentEvent): void; push(event: SentEvent): void }): () => void;
}

type SentStep = IteratorResult<SentEvent, undefined>;
const over: SentStep = { done: true, value: undefined };

/** The events of one reader, as they happen. Nothing is subscribed to before the first one is asked for. */
export function subscribe(source: SubscriptionSource): AsyncIterable<SentEvent> {
  return { [Symbol.asyncIterator]: () => new Subscription(source) };
}

class Subscription implements AsyncIterator<SentEvent, undefined> {
  readonly #waiting: SentEvent[] = [];
  readonly #clock: Clock;
  readonly #isOver: () => boolean;
  readonly #end: () => void;
  readonly #endAt: number;
  #reader: ((step: SentStep) => void) | undefined;
  #cancelTick: () => void;
  #second = 0;
  #sent = 0;
  #dropped = 0;
  #isEnded = false;

  constructor({ clock, isOver, start }: SubscriptionSource) {
    this.#clock = clock;
    this.#isOver = isOver;
    this.#endAt = clock.now() + longestMs;
    this.#cancelTick = clock.after(tickMs, () => this.#tick());
    this.#end = start({ offer: (make) => this.#offer(make), push: (event) => this.#push(event) });
  }

  next(): Promise<SentStep> {
    const event = this.#waiting.shift();
    if (event) return Promise.resolve({ done: false, value: event });
    if (this.#isEnded) return Promise.resolve(over);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  async return(): Promise<SentStep> {
    this.#finish();
    return over;
  }

  /** Sends an event, unless as many were sent in this second already, or the reader is too slow. */
  #offer(make: () => SentEvent): void {
    const second = Math.floor(this.#clock.now() / tickMs);
    if (second !== this.#second) [this.#second, this.#sent] = [second, 0];
    if (this.#sent >= mostPerSecond || this.#waiting.length >= mostWaiting) {
      this.#dropped++;
      return;
    }
    this.#sent++;
    const event = make();
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#push(dropped === 0 ? event : { ...event, data: { ...event.data, dropped } });
  }

  #push(event: SentEvent): void {
    if (this.#isEnded) return;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) reader({ done: false, value: event });
    else this.#waiting.push(event);
  }

  #tick(): void {
    if (this.#isOver() || this.#clock.now() >= this.#endAt) this.#finish();
    else this.#cancelTick = this.#clock.after(tickMs, () => this.#tick());
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelTick();
    this.#end();
    this.#reader?.(over);
    this.#reader = undefined;
  }
}
