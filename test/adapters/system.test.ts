import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock, systemIds } from "../../adapters/system.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const longest = 2 ** 31 - 1;

test("a time longer than the machine's timers know passes in full, once", () => {
  const fired = vi.fn();
  systemClock.after(2.5 * longest, fired);
  vi.advanceTimersByTime(2.5 * longest - 1);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(longest);
  expect(fired).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test("a time without end never passes, e.g. the grace of `engine.close({ graceMs: Infinity })`", () => {
  const fired = vi.fn();
  systemClock.after(Number.POSITIVE_INFINITY, fired);
  vi.advanceTimersByTime(10 * longest);
  expect(fired).not.toHaveBeenCalled();
});

test.each([0, 1, 2])("a long timer can be taken back after %i of its parts, more than once", (parts) => {
  const fired = vi.fn();
  const cancel = systemClock.after(3 * longest, fired);
  vi.advanceTimersByTime(parts * longest);
  cancel();
  cancel();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(3 * longest);
  expect(fired).not.toHaveBeenCalled();
});

test("identifiers sort by the order they were made in, also while the clock is set back or stands still", () => {
  const newId = systemIds();
  const made: string[] = [];
  for (const time of [1_000, 1_001, 1_001, 900, 1_000, 1_001, 1_002, 36 ** 8]) {
    vi.setSystemTime(time);
    for (let count = 0; count < 1_300; count++) made.push(newId());
  }
  expect(new Set(made).size).toBe(made.length);
  expect(made).toEqual([...made].sort());
  expect(made[0]).toMatch(/^evt_[0-9a-z]{9}[0-9a-f]{12}0000$/);
});
