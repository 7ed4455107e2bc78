import {
  deliverTo,
  nextOf,
  type PullIterator,
  pullIteratorOf,
  type Step,
  type StepSink,
} from "../../../src/engine/runtime/pull-iterator.ts";

/** Gives another source for the failure of the first; `undefined` lets it stand. */
type Alternative<Item> = (thrown: unknown) => AsyncIterable<Item> | undefined;

/** The items of `first`; where it fails before its first item, those of the source that `other` gives. */
export function orElse<Item>(
  first: AsyncIterable<Item>,
  other: Alternative<Item>,
): AsyncIterableIterator<Item, undefined> {
  return new EitherSource(first, other);
}

/** Asks the source in use; only its first step is looked at. */
class EitherSource<Item> implements PullIterator<Item>, AsyncIterableIterator<Item, undefined> {
  #source: PullIterator<Item>;
  #other: Alternative<Item> | undefined;

  constructor(first: AsyncIterable<Item>, other: Alternative<Item>) {
    this.#source = pullIteratorOf(first);
    this.#other = other;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Item>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<Item>): Step<Item> | undefined {
    if (this.#other === undefined) return this.#source.poll(waiter);
    let step: Step<Item> | undefined;
    try {
      step = this.#source.poll(this.#untilFirst(waiter));
    } catch (thrown) {
      return this.#switch(thrown).poll(waiter);
    }
    if (step) this.#other = undefined;
    return step;
  }

  async return(): Promise<Step<Item>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  #untilFirst(waiter: StepSink<Item>): StepSink<Item> {
    return {
      take: (step) => {
        this.#other = undefined;
        waiter.take(step);
      },
      fail: (thrown) => deliverTo(waiter, () => this.#switch(thrown).poll(waiter)),
    };
  }

  /** The other source from now on; throws the failure where there is none. */
  #switch(thrown: unknown): PullIterator<Item> {
    const other = this.#other?.(thrown);
    this.#other = undefined;
    if (other === undefined) throw thrown;
    this.#source = pullIteratorOf(other);
    return this.#source;
  }
}
