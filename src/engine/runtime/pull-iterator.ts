/** One step of a source: an item, or its end. */
export type Step<Item> = IteratorResult<Item, undefined>;

/** Waits for the next step of a source: one of the two is called, once. Neither throws: it may run inside a socket's callback. */
export interface StepSink<Item> {
  take(step: Step<Item>): void;
  fail(thrown: unknown): void;
}

/**
 * An iterator whose reader need not wait for what is there already, and waits without a promise: through the layers of a stream of small
 * pieces, promises cost more than all other work on a piece (docs/performance.md). For one reader with one wait at a time.
 */
export interface PullIterator<Item> extends AsyncIterator<Item, undefined> {
  /**
   * The next step where it is known. Undefined otherwise: the waiter is called later, never before this returns. Throws the error
   * that the source failed with.
   */
  poll(waiter: StepSink<Item>): Step<Item> | undefined;
}

/** The steps of any iterator. */
export function pullIteratorOf<Item>(iterable: AsyncIterable<Item>): PullIterator<Item> {
  const iterator = iterable[Symbol.asyncIterator]();
  return "poll" in iterator ? (iterator as PullIterator<Item>) : new PromisedSteps(iterator);
}

/** The next step as a promise: `next` for a source with `poll`. */
export function nextOf<Item>(steps: Pick<PullIterator<Item>, "poll">): Promise<Step<Item>> {
  return new Promise((resolve, reject) => {
    const step = steps.poll({ take: resolve, fail: reject });
    if (step) resolve(step);
  });
}

/** Passes the waiter the step that `poll` returns, or its failure; undefined leaves it waiting. */
export function deliverTo<Item>(waiter: StepSink<Item>, poll: () => Step<Item> | undefined): void {
  let step: Step<Item> | undefined;
  try {
    step = poll();
  } catch (thrown) {
    waiter.fail(thrown);
    return;
  }
  if (step) waiter.take(step);
}

/** Adapts an iterator that has only promises. */
class PromisedSteps<Item> implements PullIterator<Item> {
  readonly #iterator: AsyncIterator<Item>;

  constructor(iterator: AsyncIterator<Item>) {
    this.#iterator = iterator;
  }

  poll(waiter: StepSink<Item>): undefined {
    this.#iterator.next().then(
      (step) => waiter.take(step as Step<Item>),
      (thrown: unknown) => waiter.fail(thrown),
    );
  }

  next(): Promise<Step<Item>> {
    return this.#iterator.next() as Promise<Step<Item>>;
  }

  async return(): Promise<Step<Item>> {
    await this.#iterator.return?.();
    return ended;
  }
}

/** The step after the last. */
export const ended: Step<never> = { done: true, value: undefined };

/** Steps that are mapped from another source's. */
export abstract class MappedPullIterator<From, Item>
  implements PullIterator<Item>, AsyncIterableIterator<Item, undefined>, StepSink<From>
{
  #waiter: StepSink<Item> | undefined;

  /** The source of the steps; asked for when one is needed. */
  protected abstract context(): PullIterator<From>;
  /** A step that needs no further reading, e.g. the end. */
  protected abstract ready(): Step<Item> | undefined;
  /** Maps a step of the source; undefined when it yields no step. May throw the error for the reader. */
  protected abstract read(step: Step<From>): Step<Item> | undefined;
  /** Maps a failure of the source to a step; may throw. */
  protected abstract failed(thrown: unknown): Step<Item>;
  abstract return(): Promise<Step<Item>>;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Item>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<Item>): Step<Item> | undefined {
    for (;;) {
      const ready = this.ready();
      if (ready) return ready;
      const source = this.context();
      this.#waiter = waiter;
      let step: Step<From> | undefined;
      try {
        step = source.poll(this);
      } catch (thrown) {
        return this.failed(thrown);
      }
      const provided = step && this.read(step);
      if (provided || !step) return provided;
    }
  }

  take(step: Step<From>): void {
    const waiter = this.#waiter as StepSink<Item>;
    let provided: Step<Item> | undefined;
    try {
      provided = this.read(step) ?? this.poll(waiter);
    } catch (thrown) {
      waiter.fail(thrown);
      return;
    }
    if (provided) waiter.take(provided);
  }

  fail(thrown: unknown): void {
    deliverTo(this.#waiter as StepSink<Item>, () => this.failed(thrown));
  }
}
