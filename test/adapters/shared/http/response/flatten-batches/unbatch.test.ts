import { beforeEach, describe, expect, it, vi } from "vitest";
import { flattenBatches } from "../../../../../../adapters/shared/http/response/flatten-batches.ts";

describe("the connection of an answer that is complete", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  /** One batch that completes the answer, and then `after`. */
  function complete(after: () => Promise<IteratorResult<number, undefined>>) {
    const seen = { asked: 0, returned: 0 };
    const source: AsyncIterableIterator<number, undefined> = {
      [Symbol.asyncIterator]: () => source,
      next: () => (seen.asked++ === 0 ? Promise.resolve({ done: false, value: 1 }) : after()),
      async return() {
        seen.returned++;
        return { done: true, value: undefined };
      },
    };
    const items = flattenBatches<number, number>({
      open: () => source,
      read: (batch) => ({ items: [batch], broken: undefined, isComplete: true }),
      end: () => [],
    });
    return { items, seen };
  }

  it("is closed when the vendor does not end it soon: closing the engine waits for nobody who keeps silent", async () => {
    const { items, seen } = complete(() => new Promise(() => {}));
    expect([await items.next(), await items.next()]).toMatchObject([{ value: 1 }, { done: true }]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual({ asked: 2, returned: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });
  it("lives on when it ends by itself, whatever else is said before", async () => {
    let left = 3;
    const { items, seen } = complete(async () =>
      left-- > 0 ? { done: false, value: 9 } : { done: true, value: undefined },
    );
    expect([await items.next(), await items.next()]).toMatchObject([{ value: 1 }, { done: true }]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual({ asked: 5, returned: 0 });
  });
  it("may break: nothing is taken from the answer", async () => {
    const { items } = complete(() => Promise.reject(new Error("reset")));
    expect([await items.next(), await items.next()]).toMatchObject([{ value: 1 }, { done: true }]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
