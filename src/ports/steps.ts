/** One step of a source: an item, or its end. */
export type Step<Item> = IteratorResult<Item, undefined>;

/** Who waits for the next step of a source; told once, by one of the two. Neither throws: it may run inside a socket's callback. */
export interface Waiter<Item> {
  take(step: Step<Item>): void;
  fail(thrown: unknown): void;
}

/**
 * An iterator whose reader need not wait for what is there already, and waits without a promise: through the layers of a stream of small
 * pieces, promises cost more than all that is done with a piece (docs/performance.md). For one reader with one wait at a time.
 */
export interface Steps<Item> extends AsyncIterator<Item, undefined> {
  /**
   * The next step where it is known. Undefined otherwise: the waiter is told later, never before this returns. Throws what the source
   * failed with.
   */
  poll(waiter: Waiter<Item>): Step<Item> | undefined;
}

/** The steps of any iterator. */
export function stepsOf<Item>(iterable: AsyncIterable<Item>): Steps<Item> {
  const iterator = iterable[Symbol.asyncIterator]();
  return "poll" in iterator ? (iterator as Steps<Item>) : new PromisedSteps(iterator);
}

/** The next step as a promise: `next` of whoever can `poll`. */
export function nextOf<Item>(steps: Pick<Steps<Item>, "poll">): Promise<Step<Item>> {
  return new Promise((resolve, reject) => {
    const step = steps.poll({ take: resolve, fail: reject });
    if (step) resolve(step);
  });
}

/** Tells the waiter the step that `poll` gives, or its failure; undefined leaves it waiting. */
export function tellOf<Item>(waiter: Waiter<Item>, poll: () => Step<Item> | undefined): void {
  let step: Step<Item> | undefined;
  try {
    step = poll();
  } catch (thrown) {
    waiter.fail(thrown);
    return;
  }
  if (step) waiter.take(step);
}

/** Waits for the promises of an iterator that knows nothing else. */
class PromisedSteps<Item> implements Steps<Item> {
  readonly #iterator: AsyncIterator<Item>;

  constructor(iterator: AsyncIterator<Item>) {
    this.#iterator = iterator;
  }

  poll(waiter: Waiter<Item>): undefined {
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

/** The step behind the last. */
export const ended: Step<never> = { done: true, value: undefined };

/** Steps that are made of another source's. */
export abstract class DerivedSteps<From, Item>
  implements Steps<Item>, AsyncIterableIterator<Item, undefined>, Waiter<From>
{
  #waiter: Waiter<Item> | undefined;

  /** Whose steps are read; asked for when one is needed. */
  protected abstract source(): Steps<From>;
  /** What can be told without reading on, e.g. that all is over. */
  protected abstract ready(): Step<Item> | undefined;
  /** What a step of the source amounts to; undefined when it is nothing to tell. May throw what is told instead. */
  protected abstract read(step: Step<From>): Step<Item> | undefined;
  /** What is told when the source fails; may throw that. */
  protected abstract failed(thrown: unknown): Step<Item>;
  abstract return(): Promise<Step<Item>>;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Item>> {
    return nextOf(this);
  }

  poll(waiter: Waiter<Item>): Step<Item> | undefined {
    for (;;) {
      const ready = this.ready();
      if (ready) return ready;
      const source = this.source();
      this.#waiter = waiter;
      let step: Step<From> | undefined;
      try {
        step = source.poll(this);
      } catch (thrown) {
        return this.failed(thrown);
      }
      const told = step && this.read(step);
      if (told || !step) return told;
    }
  }

  take(step: Step<From>): void {
    const waiter = this.#waiter as Waiter<Item>;
    let told: Step<Item> | undefined;
    try {
      told = this.read(step) ?? this.poll(waiter);
    } catch (thrown) {
      waiter.fail(thrown);
      return;
    }
    if (told) waiter.take(told);
  }

  fail(thrown: unknown): void {
    tellOf(this.#waiter as Waiter<Item>, () => this.failed(thrown));
  }
}
