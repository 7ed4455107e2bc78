/** A listener for an abort; an object's `handleEvent` saves a closure. */
export type AbortListener = (() => void) | { handleEvent(): void };

/** What can be aborted from outside. Every `AbortSignal` is one. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: AbortListener): void;
  removeEventListener(type: "abort", listener: AbortListener): void;
}

/** An {@link Abortable} and the means to end it. */
export interface Aborter extends Abortable {
  /** Calls the listeners, in the order in which they came; only the first call does anything. */
  abort(reason: unknown): void;
}

/**
 * What an `AbortController` and its signal are, for use among ourselves. A listener on a real signal costs a request two microseconds
 * and, in what it keeps alive for the garbage collector, ten more (docs/performance.md).
 */
export function createAborter(): Aborter {
  return new PlainAborter();
}

const none: readonly AbortListener[] = [];

class PlainAborter implements Aborter {
  aborted = false;
  reason: unknown = undefined;
  /** Most have one listener at a time. */
  #listeners: readonly AbortListener[] = none;

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const provided = this.#listeners;
    this.#listeners = none;
    for (const listener of provided) {
      if (typeof listener === "function") listener();
      else listener.handleEvent();
    }
  }

  addEventListener(_type: "abort", listener: AbortListener): void {
    if (!this.aborted) this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: AbortListener): void {
    const position = this.#listeners.indexOf(listener);
    if (position === -1) return;
    this.#listeners = this.#listeners.length === 1 ? none : this.#listeners.toSpliced(position, 1);
  }
}
