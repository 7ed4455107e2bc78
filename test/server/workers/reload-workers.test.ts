import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { readProcessFile } from "../../../src/server/reload/process-file.ts";
import { reloadWorkers } from "../../../src/server/workers/reload-workers.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";
import { fakeWorkers } from "../../cli/support/workers/fake-workers.ts";

function reloading(count: number) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-workers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const processFile = join(folder, "gateway.pid");
  const { fork, started } = fakeWorkers();
  for (let number = 1; number <= count; number++) fork(number, number === 1).report({ kind: "serving" });
  const terminal = fakeTerminal();
  const stop = reloadWorkers({ processes: () => started, processFile, terminal });
  onTestFinished(stop);
  const outcome = async (least: number) =>
    vi.waitFor(async () => {
      const last = (await readProcessFile(processFile))?.lastReload;
      expect(last?.count).toBeGreaterThanOrEqual(least);
      return last;
    });
  const signalsOf = () => started.map(({ signals }) => signals.length);
  return { fork, started, terminal, outcome, signalsOf };
}

const taken = { count: 9, isApplied: true, message: "a price" };
const refused = { count: 9, isApplied: false, message: "`prices` is no list." };

it("has one worker read a configuration before the others, and none of them follow where it is refused", async () => {
  const { started, terminal, outcome, signalsOf } = reloading(3);
  terminal.send("SIGHUP");
  expect(signalsOf()).toEqual([1, 0, 0]);
  started[0]?.report({ kind: "reloaded", outcome: refused });
  expect(await outcome(1)).toEqual({ count: 1, isApplied: false, message: refused.message });
  expect(signalsOf()).toEqual([1, 0, 0]);
  terminal.send("SIGHUP");
  await vi.waitFor(() => expect(signalsOf()).toEqual([2, 0, 0]));
  started[0]?.report({ kind: "reloaded", outcome: taken });
  await vi.waitFor(() => expect(signalsOf()).toEqual([2, 1, 1]));
  started[1]?.report({ kind: "reloaded", outcome: taken });
  started[2]?.end({ code: 1, signal: undefined });
  expect(await outcome(2)).toEqual({ count: 2, isApplied: true, message: "a price" });
});

it("tells of a file that changed between two workers", async () => {
  const { started, terminal, outcome, signalsOf } = reloading(2);
  terminal.send("SIGHUP");
  started[0]?.report({ kind: "reloaded", outcome: taken });
  await vi.waitFor(() => expect(signalsOf()).toEqual([1, 1]));
  started[1]?.report({ kind: "reloaded", outcome: refused });
  expect((await outcome(1))?.message).toBe(
    "`prices` is no list. Other workers took it over: the file changed meanwhile.",
  );
});

it("asks a worker that is starting once it serves, and ends none of them", async () => {
  const { fork, started, terminal, outcome, signalsOf } = reloading(1);
  const starting = fork(2, false);
  terminal.send("SIGHUP");
  started[0]?.report({ kind: "reloaded", outcome: taken });
  await Promise.resolve();
  expect(signalsOf()).toEqual([1, 0]);
  await vi.waitFor(() => {
    starting.report({ kind: "serving" });
    expect(signalsOf()).toEqual([1, 1]);
  });
  starting.report({ kind: "reloaded", outcome: taken });
  expect((await outcome(1))?.isApplied).toBe(true);
});
