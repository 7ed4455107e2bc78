import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ended,
  MappedPullIterator,
  nextOf,
  type PullIterator,
  pullIteratorOf,
  type Step,
  type StepSink,
} from "../../../../src/engine/runtime/pull-iterator.ts";

/** A source that a test feeds: what it is given while nobody waits is there for the next poll. */
class Fed implements PullIterator<number>, AsyncIterable<number> {
  readonly #ready: (Step<number> | { thrown: unknown })[] = [];
  #waiter: StepSink<number> | undefined;
  polls = 0;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<number>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<number>): Step<number> | undefined {
    this.polls++;
    const ready = this.#ready.shift();
    if (ready && "thrown" in ready) throw ready.thrown;
    if (!ready) this.#waiter = waiter;
    return ready;
  }

  give(step: Step<number> | { thrown: unknown }): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (!waiter) this.#ready.push(step);
    else if ("thrown" in step) waiter.fail(step.thrown);
    else waiter.take(step);
  }
}

/** Tells the even numbers of another source, times ten. */
class TenfoldEven extends MappedPullIterator<number, number> {
  readonly #fed: Fed;
  constructor(fed: Fed) {
    super();
    this.#fed = fed;
  }
  async return(): Promise<Step<number>> {
    return ended;
  }
  protected context(): PullIterator<number> {
    return this.#fed;
  }
  protected ready(): undefined {
    return undefined;
  }
  protected read(step: Step<number>): Step<number> | undefined {
    if (step.done) return ended;
    return step.value % 2 === 0 ? { done: false, value: step.value * 10 } : undefined;
  }
  protected failed(thrown: unknown): never {
    throw thrown;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Reads by `poll` alone, and records what it is told. */
function reader(steps: PullIterator<number>) {
  const told: unknown[] = [];
  let isPolling = false;
  const waiter: StepSink<number> = {
    take(step) {
      expect(isPolling).toBe(false); // who polls is told by what `poll` returns
      if (record(step)) pull();
    },
    fail: (thrown) => told.push({ thrown }),
  };
  const record = (step: Step<number>) => {
    told.push(step.done ? "end" : step.value);
    return !step.done;
  };
  function pull(): void {
    for (;;) {
      let step: Step<number> | undefined;
      isPolling = true;
      try {
        step = steps.poll(waiter);
      } catch (thrown) {
        told.push({ thrown });
        return;
      } finally {
        isPolling = false;
      }
      if (!step || !record(step)) return;
    }
  }
  return { told, pull };
}

const feeds = fc.array(fc.record({ value: fc.nat(20), pause: fc.boolean() }), { maxLength: 12 });

test("what is polled is the same whenever the source has it", async () => {
  await fc.assert(
    fc.asyncProperty(feeds, fc.nat(12), async (fed, begin) => {
      const source = new Fed();
      const { told, pull } = reader(new TenfoldEven(source));
      for (const [at, { value, pause }] of fed.entries()) {
        if (at === begin) pull();
        source.give({ done: false, value });
        if (pause) await turn();
      }
      if (begin >= fed.length) pull();
      source.give(ended);
      expect(told).toEqual([...fed.filter(({ value }) => value % 2 === 0).map(({ value }) => value * 10), "end"]);
    }),
  );
});

test("a failure is told once, to who waits or to who asks next", () => {
  for (const isEarly of [true, false]) {
    const source = new Fed();
    const { told, pull } = reader(new TenfoldEven(source));
    if (!isEarly) pull();
    source.give({ done: false, value: 2 });
    source.give({ thrown: "broken" });
    if (isEarly) pull();
    expect(told).toEqual([20, { thrown: "broken" }]);
  }
});

test("`next` gives what `poll` gives", async () => {
  const source = new Fed();
  const steps = new TenfoldEven(source);
  source.give({ done: false, value: 4 });
  expect(await steps.next()).toEqual({ done: false, value: 40 });
  const waiting = steps.next();
  source.give({ done: false, value: 6 });
  expect(await waiting).toEqual({ done: false, value: 60 });
  const failing = steps.next();
  source.give({ thrown: new Error("broken") });
  await expect(failing).rejects.toThrow("broken");
});

test("an iterator that cannot be polled is waited for", async () => {
  async function* numbers() {
    yield 1;
    yield 2;
    throw new Error("broken");
  }
  const { told, pull } = reader(pullIteratorOf(numbers()));
  pull();
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(told).toEqual([1, 2, { thrown: new Error("broken") }]);
});

test("one that can be polled is polled", () => {
  const source = new Fed();
  expect(pullIteratorOf(source)).toBe(source);
});
