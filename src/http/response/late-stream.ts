import type { ChatChunk } from "../../engine/api/chat.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import {
  deliverTo,
  ended,
  nextOf,
  type PullIterator,
  pullIteratorOf,
  type Step,
  type StepSink,
} from "../../engine/runtime/pull-iterator.ts";

/** After how long a silence is bridged. */
export interface KeepAliveInterval {
  readonly clock: Clock;
  /** Milliseconds of silence after which something is sent; 0 for never. */
  readonly keepAliveMs: number;
}

/**
 * What was asked for, if it comes within the keep-alive interval; `undefined` if not: the answer then begins without it, since what sits
 * between cuts a connection that is silent for a minute (inference-resolved.md, section 4). Rejects as `asked` does in that time.
 */
export function withinInterval<Value>(
  asked: Promise<Value>,
  { clock, keepAliveMs }: KeepAliveInterval,
): Promise<Value | undefined> {
  if (keepAliveMs <= 0) return asked;
  return new Promise((resolve, reject) => {
    const stop = clock.after(keepAliveMs, () => resolve(undefined));
    const inTime = (value: Value) => {
      stop();
      resolve(value);
    };
    asked.then(inTime, (thrown: unknown) => {
      stop();
      reject(thrown);
    });
  });
}

/** The chunks of a stream that is still being asked for; they fail as it does. Returning early ends a stream that comes all the same. */
export function lateChunks(asked: Promise<AsyncIterable<ChatChunk>>): AsyncIterable<ChatChunk> {
  return new LateChunks(asked);
}

class LateChunks implements PullIterator<ChatChunk>, AsyncIterableIterator<ChatChunk, undefined> {
  readonly #asked: Promise<AsyncIterable<ChatChunk>>;
  #source: PullIterator<ChatChunk> | undefined;

  constructor(asked: Promise<AsyncIterable<ChatChunk>>) {
    this.#asked = asked;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<ChatChunk>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<ChatChunk>): Step<ChatChunk> | undefined {
    if (this.#source) return this.#source.poll(waiter);
    this.#asked.then(
      (chunks) => {
        const source = pullIteratorOf(chunks);
        this.#source = source;
        deliverTo(waiter, () => source.poll(waiter));
      },
      (thrown: unknown) => waiter.fail(thrown),
    );
    return undefined;
  }

  async return(): Promise<Step<ChatChunk>> {
    if (this.#source) await this.#source.return?.();
    else {
      const end = (chunks: AsyncIterable<ChatChunk>) => chunks[Symbol.asyncIterator]().return?.();
      this.#asked.then(end).catch(() => {}); // nobody reads it: its end changes nothing
    }
    return ended;
  }
}

/** Frames behind one that is there already. */
export function precededBy(first: string, frames: AsyncIterable<string>): AsyncIterable<string> {
  return new Preceded(first, pullIteratorOf(frames));
}

class Preceded implements PullIterator<string>, AsyncIterableIterator<string, undefined> {
  #first: string | undefined;
  readonly #rest: PullIterator<string>;

  constructor(first: string, rest: PullIterator<string>) {
    this.#first = first;
    this.#rest = rest;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<string>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<string>): Step<string> | undefined {
    const value = this.#first;
    if (value === undefined) return this.#rest.poll(waiter);
    this.#first = undefined;
    return { done: false, value };
  }

  async return(): Promise<Step<string>> {
    this.#first = undefined;
    await this.#rest.return?.();
    return ended;
  }
}
