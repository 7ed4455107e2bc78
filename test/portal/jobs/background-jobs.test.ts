import { expect, it, onTestFinished, vi } from "vitest";
import { startBackgroundJobs } from "../../../src/portal/jobs/background-jobs.ts";
import { fakeClock } from "../../../src/testing/clock.ts";

const nobody = () => expect.unreachable("nothing failed");

it("a duty is performed at once and again so long after its end, until it is stopped", async () => {
  const clock = fakeClock();
  const at: number[] = [];
  const begin = clock.now();
  const duty = { name: "d", everyMs: 1_000, perform: async () => void at.push(clock.now() - begin) };
  const stop = startBackgroundJobs([duty], clock, nobody);
  await clock.advance(0);
  await clock.advance(2_500);
  expect(at).toEqual([0, 1_000, 2_000]);
  await stop();
  await clock.advance(5_000);
  expect(at).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

it("a duty that fails is told of and tried again", async () => {
  const clock = fakeClock();
  const told: unknown[] = [];
  const perform = async () => Promise.reject(new Error("no luck"));
  const stop = startBackgroundJobs([{ name: "backups", everyMs: 1_000, perform }], clock, (error, duty) =>
    told.push([String(error), duty]),
  );
  await clock.advance(0);
  await clock.advance(1_500);
  expect(told).toEqual([
    ["Error: no luck", "backups"],
    ["Error: no luck", "backups"],
  ]);
  await stop();
});

it("a report that fails itself is a warning, and the duty is tried again", async () => {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warnings.mockRestore());
  const clock = fakeClock();
  const perform = async () => Promise.reject(new Error("no luck"));
  const reports = [() => Promise.reject(new Error("away")), () => expect.unreachable("thrown at once")];
  const stop = startBackgroundJobs([{ name: "d", everyMs: 1_000, perform }], clock, () => reports.shift()?.());
  await clock.advance(0);
  await clock.advance(1_500);
  await stop();
  expect(warnings.mock.calls.map(String)).toEqual(["Error: away", expect.stringContaining("thrown at once")]);
});

it("stopping waits for what is under way", async () => {
  const clock = fakeClock();
  let finish = () => {};
  const perform = () =>
    new Promise<void>((resolve) => {
      finish = resolve;
    });
  const stop = startBackgroundJobs([{ name: "d", everyMs: 1_000, perform }], clock, nobody);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await clock.advance(1);
  expect(isStopped).toBe(false);
  finish();
  await stopping;
  expect(clock.pending).toBe(0);
});
