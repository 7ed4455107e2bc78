import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

it("a signal while the first key is made waits until it is shown: no start shows it again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-early-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const terminal = fakeTerminal({ folder, isSeen: true });
  const shownAtFirst: boolean[] = [];
  const onSignal: typeof terminal.onSignal = (listener) => {
    const forget = terminal.onSignal(listener);
    shownAtFirst.push(terminal.written.err.includes("sk-tg-"));
    if (shownAtFirst.length === 1) terminal.send("SIGTERM");
    return forget;
  };
  expect(await runProgram(["serve", "--port", "0"], { ...terminal, onSignal }, () => "1")).toBe(0);
  expect(shownAtFirst).toEqual([false, true]);
  expect(terminal.written.err).toMatch(/sk-tg-\w.*tg_at_\w/s);
  expect(terminal.listening()).toBe(1);
});
