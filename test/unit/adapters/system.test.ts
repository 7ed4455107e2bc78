import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../adapters/system.ts";

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
