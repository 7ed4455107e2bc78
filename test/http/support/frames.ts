import { EventEmitter } from "node:events";
import type { FrameSink } from "../../../src/http/server/node-stream.ts";
import { fakeClock } from "../../../src/testing/clock.ts";

/** A sink that is full after `room` writes until it is drained. */
export class FakeSink extends EventEmitter implements FrameSink {
  /** The last text of a response that was broken off. */
  brokenOff: string | undefined;
  readonly writes: string[] = [];
  ended: string | undefined;
  room: number;
  writableEnded = false;
  constructor(room = Number.POSITIVE_INFINITY) {
    super();
    this.room = room;
  }
  write(text: string): boolean {
    this.writes.push(text);
    return --this.room > 0;
  }
  breakOff(text: string): void {
    this.brokenOff = text;
  }

  end(text: string): void {
    this.ended = text;
  }
}

/** Frames that the test pushes; it sees how many were asked for and how often they were returned. */
export function pushedFrames() {
  const ready: string[] = [];
  const seen = { pulls: 0, returns: 0 };
  let wake = (_step: IteratorResult<string>) => {};
  const frames: AsyncIterator<string> = {
    next() {
      seen.pulls++;
      const value = ready.shift();
      if (value !== undefined) return Promise.resolve({ done: false, value });
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    async return() {
      seen.returns++;
      return { done: true, value: undefined };
    },
  };
  return {
    seen,
    iterable: { [Symbol.asyncIterator]: () => frames },
    push: (...values: string[]) => {
      const [first, ...rest] = values;
      ready.push(...rest);
      wake({ done: false, value: first ?? "" });
    },
    finish: () => wake({ done: true, value: undefined }),
  };
}

/** Frames that are always ready; `seen.pulls` counts them. */
export function endlessFrames(frame: string) {
  const seen = { pulls: 0, returns: 0 };
  const frames: AsyncIterator<string> = {
    next: async () => {
      seen.pulls++;
      return { done: false, value: frame };
    },
    return: async () => {
      seen.returns++;
      return { done: true, value: undefined };
    },
  };
  return { seen, iterable: { [Symbol.asyncIterator]: () => frames } };
}

/** Settings over a clock that stands still. */
export const still = () => ({ clock: fakeClock(), keepAliveMs: 15_000 });
