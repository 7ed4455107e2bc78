import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { followEntries } from "../../../../src/cli/ledger/follow-entries.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { anEntryOf } from "../../../adapters/support/entries.ts";

const start = Date.UTC(2026, 10, 20, 12);
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-follow-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true }));
});

function open() {
  const store = memoryStore();
  const { usage } = scriptedEngine({ "a/m": [] }, { store });
  let written = "";
  const print = (text: string) => {
    written += text;
  };
  const listeners = new Set<() => void>();
  const terminal = {
    folder,
    now: () => start,
    out: print,
    err: print,
    onSignal: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const append = (id: string, at = start) => store.ledger.append([anEntryOf({ id, at, attempts: [] })]);
  const run = async (options: Parameters<typeof followEntries>[0] | object) => {
    written = "";
    await followEntries({ usage, once: true, ...options }, terminal as never);
    return written.split("\n").flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { id: string }).id]));
  };
  return {
    usage,
    append,
    run,
    terminal,
    stop: () => listeners.forEach((listener) => void listener()),
    written: () => written,
  };
}

it("with a state, each run prints what came since the one before; the first one nothing", async () => {
  const { append, run } = open();
  await append("old");
  expect(await run({ state: "state.json" })).toEqual([]);
  await append("one");
  await append("two");
  expect(await run({ state: "state.json" })).toEqual(["one", "two"]);
  expect(await run({ state: "state.json" })).toEqual([]);
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8")).printed).toHaveLength(3);
});

it("--since begins with what is there, a day back at most", async () => {
  const { append, run } = open();
  await append("yesterday", start - 86_400_000);
  await append("lately", start - 60_000);
  expect(await run({ since: "10m" })).toEqual(["lately"]);
  await expect(run({ since: "2d" })).rejects.toThrow("--since reaches back a day at most.");
});

it("a state that is none is refused with its path", async () => {
  const { run } = open();
  for (const text of ["", "{}", '{"printed":[["a"]]}', "nothing"]) {
    writeFileSync(join(folder, "state.json"), text);
    await expect(run({ state: "state.json" })).rejects.toThrow(`--state: ${join(folder, "state.json")} is no state`);
  }
});

it("goes on through an outage of the store, says so once, and ends with a signal", async () => {
  const { usage, append, terminal, stop, written } = open();
  let isAway = true;
  let asked = 0;
  const flaky: Pick<typeof usage, "entries"> = {
    entries: async (question) => {
      asked += 1;
      if (isAway) throw new GatewayError("store_unavailable", "The store is away.");
      return usage.entries(question);
    },
  };
  await append("one");
  const ended = followEntries({ usage: flaky, since: "1h" }, terminal as never);
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(1);
  isAway = false;
  await expect.poll(written, { timeout: 10_000 }).toContain('"id":"one"');
  stop();
  expect(await ended).toBe(0);
  expect(written().match(/The store is away\./g)).toHaveLength(1);
  expect(written()).toContain("the store answers again");
});
