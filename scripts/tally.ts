import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, TestCase } from "vitest/node";

/** How many tests or checks passed, failed and were skipped, and what the reader of a gate's output should know. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notes: readonly string[];
}

/** Nothing counted yet. */
export const emptyTally: Tally = { passed: 0, failed: 0, skipped: 0, notes: [] };

/** The counts and notes of several tallies in one. */
export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: sum.skipped + tally.skipped,
      notes: [...sum.notes, ...tally.notes],
    }),
    emptyTally,
  );
}

/** The counts as the last line of a gate. */
export function formatTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** A tally that {@link writeTally} wrote, or undefined when there is none. */
export function readTally(path: string): Tally | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Tally; // our own file
  } catch {
    return undefined;
  }
}

/** Leaves a tally for another process. */
export function writeTally(path: string, tally: Tally): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(tally));
}

/** A skipped test that gives no reason (`context.skip("why")`) counts as failed: nobody could tell it from a forgotten one. */
function tallyTest(test: TestCase): Tally {
  const result = test.result();
  if (result.state === "passed") return { ...emptyTally, passed: 1 };
  if (result.state !== "skipped") return { ...emptyTally, failed: 1 };
  if (result.note) return { ...emptyTally, skipped: 1, notes: [`skipped: ${test.fullName}: ${result.note}`] };
  return { ...emptyTally, failed: 1, notes: [`skipped without a reason: ${test.fullName}`] };
}

/** A vitest reporter that leaves the counts of a run in a file. A file that does not load and a stray error count as failed. */
export function tallyInto(path: string): Reporter {
  return {
    onTestRunEnd(modules, strayErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()].map(tallyTest));
      const broken = modules.filter((module) => module.errors().length > 0).length;
      writeTally(path, addTallies([...tests, { ...emptyTally, failed: broken + strayErrors.length }]));
    },
  };
}
