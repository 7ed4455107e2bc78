/** The items of a batch, and the fault that came after them, if one did: it is thrown when they were told. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly broken: { readonly thrown: unknown } | undefined;
}

/** Where batches come from: an iterator for one reader that waits for each. */
export interface BatchSource<Batch> {
  next(): Promise<IteratorResult<Batch, void>>;
  /** Ends early. */
  return(): Promise<IteratorResult<Batch, void>>;
}

/** Batches that are to be told item by item. */
export interface Batches<Batch, Item> {
  /** Begins the batches, when the first item is asked for. */
  open(): BatchSource<Batch>;
  read(batch: Batch): ReadItems<Item>;
  /** The batches ended, or broke off with `broken`: gives a last item, nothing, or throws. */
  end(broken: { readonly thrown: unknown } | undefined): Item | undefined;
}

/** The items of batches, one at a time, for one reader that waits for each. Written by hand: a generator costs every item three promises. */
export function unbatch<Batch, Item>(batches: Batches<Batch, Item>): AsyncIterableIterator<Item> {
  return new Unbatched(batches);
}

class Unbatched<Batch, Item> implements AsyncIterableIterator<Item> {
  readonly #batches: Batches<Batch, Item>;
  #source: BatchSource<Batch> | undefined;
  #read: ReadItems<Item> | undefined;
  #position = 0;
  #isOver = false;

  constructor(batches: Batches<Batch, Item>) {
    this.#batches = batches;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item>> {
    const read = this.#read;
    if (read) {
      const value = read.items[this.#position++];
      if (value !== undefined) return Promise.resolve({ done: false, value });
      this.#read = undefined;
      const { broken } = read;
      if (broken) return this.#giveUp().then(() => Promise.reject(broken.thrown));
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    this.#source ??= this.#batches.open();
    return this.#source.next().then(this.#onBatch, this.#onBreak);
  }

  async return(): Promise<IteratorResult<Item>> {
    await this.#giveUp();
    return { done: true, value: undefined };
  }

  readonly #onBatch = (step: IteratorResult<Batch, void>): IteratorResult<Item> | Promise<IteratorResult<Item>> => {
    if (step.done) return this.#tellLast(undefined);
    this.#read = this.#batches.read(step.value);
    this.#position = 0;
    const [value] = this.#read.items;
    if (value === undefined) return this.next();
    this.#position = 1;
    return { done: false, value };
  };

  readonly #onBreak = (thrown: unknown): IteratorResult<Item> => this.#tellLast({ thrown });

  #tellLast(broken: { readonly thrown: unknown } | undefined): IteratorResult<Item> {
    this.#isOver = true;
    this.#read = undefined;
    const last = this.#batches.end(broken);
    return last === undefined ? { done: true, value: undefined } : { done: false, value: last };
  }

  async #giveUp(): Promise<void> {
    this.#isOver = true;
    this.#read = undefined;
    await this.#source?.return();
  }
}
