import {
  ended,
  MappedPullIterator,
  type PullIterator,
  pullIteratorOf,
  type Step,
} from "../../../../src/engine/runtime/pull-iterator.ts";
import { drainInBackground } from "../drain.ts";

/** The items of a batch, and the fault that followed them, if any: it is thrown after the items. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly broken: { readonly thrown: unknown } | undefined;
  /** Nothing that follows is wanted. */
  readonly isComplete?: boolean;
}

/** Batches to deliver item by item. */
export interface Batches<Batch, Item> {
  /** Begins the batches, when the first item is asked for. */
  open(): AsyncIterable<Batch>;
  read(batch: Batch): ReadItems<Item>;
  /** The batches ended, or broke off with `broken`: gives the last items, or throws. */
  end(broken: { readonly thrown: unknown } | undefined): readonly Item[];
}

/**
 * The items of batches, one at a time, for one reader that waits for each. What is complete ends at once; the end of its HTTP message,
 * which is still to come, is read in the background, so that the connection lives on for the next request.
 */
export function flattenBatches<Batch, Item>(batches: Batches<Batch, Item>): AsyncIterableIterator<Item, undefined> {
  return new Unbatched(batches);
}

class Unbatched<Batch, Item> extends MappedPullIterator<Batch, Item> {
  readonly #batches: Batches<Batch, Item>;
  #source: PullIterator<Batch> | undefined;
  #read: ReadItems<Item> | undefined;
  #position = 0;
  #isOver = false;

  constructor(batches: Batches<Batch, Item>) {
    super();
    this.#batches = batches;
  }

  async return(): Promise<Step<Item>> {
    this.#isOver = true;
    this.#read = undefined;
    await this.#source?.return?.();
    return ended;
  }

  protected context(): PullIterator<Batch> {
    this.#source ??= pullIteratorOf(this.#batches.open());
    return this.#source;
  }

  /** An item that was read already; throws the fault that came after the last of them. */
  protected ready(): Step<Item> | undefined {
    if (this.#read) {
      const { items, broken, isComplete } = this.#read;
      const value = items[this.#position++];
      if (value !== undefined) return { done: false, value };
      this.#read = undefined;
      if (isComplete) this.#finish();
      if (broken) {
        this.return().catch(() => {}); // the fault is thrown; the source only has to end
        throw broken.thrown;
      }
    }
    return this.#isOver ? ended : undefined;
  }

  protected read(step: Step<Batch>): Step<Item> | undefined {
    if (step.done) return this.#last(undefined);
    this.#begin(this.#batches.read(step.value));
    return this.ready();
  }

  protected failed(thrown: unknown): Step<Item> {
    return this.#last({ thrown });
  }

  #last(broken: { readonly thrown: unknown } | undefined): Step<Item> {
    this.#isOver = true;
    this.#read = undefined;
    this.#begin({ items: this.#batches.end(broken), broken: undefined });
    return this.ready() ?? ended;
  }

  #begin(read: ReadItems<Item>): void {
    this.#read = read;
    this.#position = 0;
  }

  #finish(): void {
    this.#isOver = true;
    drainInBackground(this.#source as PullIterator<Batch>);
  }
}
