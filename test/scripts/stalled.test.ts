import { expect, it, vi } from "vitest";
import type { TestCase, TestModule } from "vitest/node";
import { tellStalled } from "../../scripts/stalled.ts";

it("a run that stands still names the files under way and the last test of each that ended, until one ends again", () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const reporter = tellStalled({ quietMs: 60_000, tell: (line) => told.push(line.trim()) });
  const module = (relativeModuleId: string) => ({ relativeModuleId }) as TestModule;
  const ended = (file: string, name: string) => reporter.onTestCaseResult?.({ module: module(file), name } as TestCase);

  reporter.onTestRunStart?.([]);
  reporter.onTestModuleStart?.(module("a.test.ts"));
  reporter.onTestModuleStart?.(module("b.test.ts"));
  vi.advanceTimersByTime(59_000);
  ended("a.test.ts", "adds");
  vi.advanceTimersByTime(59_000);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1_000);
  const first = "no test has ended for 60 s; under way: a.test.ts (last: adds), b.test.ts (none has ended)";
  expect(told).toEqual([first]);

  reporter.onTestModuleEnd?.(module("a.test.ts"));
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([first, "no test has ended for 60 s; under way: b.test.ts (none has ended)"]);

  reporter.onTestRunEnd?.([], [], "passed");
  vi.advanceTimersByTime(600_000);
  expect(told).toHaveLength(2);
  vi.useRealTimers();
});
