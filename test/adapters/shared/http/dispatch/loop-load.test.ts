import { describe, expect, test } from "vitest";
import { LoopLoad } from "../../../../../adapters/shared/http/dispatch/loop-load.ts";

describe("the load of the loop", () => {
  const times = { idle: 0, active: 0 };
  const load = new LoopLoad(0, () => ({ ...times }));
  let now = 0;

  /** Milliseconds of time with this share of work. */
  function work(ms: number, share: number): boolean {
    let isFull = false;
    for (let n = 0; n < ms / 10; n++) {
      now += 10;
      times.active += 10 * share;
      times.idle += 10 * (1 - share);
      isFull = load.isFull(now);
    }
    return isFull;
  }

  test("is full when there is no spare time for a while, and stays so while what was saved explains it", () => {
    expect(work(500, 0.5)).toBe(false);
    expect(work(50, 1)).toBe(false);
    expect(work(500, 0.9)).toBe(false);
    expect(work(300, 1)).toBe(true);
    expect(work(1_000, 0.7)).toBe(true);
    expect(work(1_000, 0.5)).toBe(false);
  });
});
