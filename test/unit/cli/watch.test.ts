import { EventEmitter } from "eventemitter3";
import { expect, it } from "vitest";
import { local } from "../../../adapters/providers/local/index.ts";
import { openJournal } from "../../../src/cli/serve/journal.ts";
import { openLog } from "../../../src/cli/serve/log.ts";
import { watchParts } from "../../../src/cli/serve/watch.ts";
import { createEngine } from "../../../src/index.ts";

/** A log of what these events make a gateway say. */
function watch() {
  const engine = new EventEmitter();
  const lines: { level: string; msg: string; failures?: number }[] = [];
  const log = openLog({
    level: "info",
    isForPeople: false,
    scrub: (text) => text.replaceAll("hush-hush", "[secret]"),
    write: (line) => void lines.push(JSON.parse(line)),
  });
  let at = 1_000_000;
  watchParts({ engine: engine as never, log, now: () => at });
  const fail = (error: unknown) => engine.emit("cache", { result: "failed", error, event_id: "evt_0" });
  const pass = (ms: number) => {
    at += ms;
  };
  return { engine, lines, fail, pass };
}

it("a circuit is told when it opens and when it closes", () => {
  const { engine, lines } = watch();
  for (const state of ["open", "closed"]) engine.emit("circuit", { target: "a/m", state });
  expect(lines).toMatchObject([
    { level: "warn", msg: "the circuit of a/m is open", target: "a/m" },
    { level: "info", msg: "the circuit of a/m is closed" },
  ]);
});

it("a cache that fails is told once a minute, with how often it failed since the last line", () => {
  const { lines, fail, pass } = watch();
  for (let call = 0; call < 3; call++) fail(new Error("The cache in Redis does not answer."));
  pass(59_999);
  fail(new Error("still"));
  expect(lines).toMatchObject([
    { level: "warn", msg: "the cache failed: The cache in Redis does not answer.", failures: 1, event_id: "evt_0" },
  ]);
  pass(1);
  fail(new Error("again"));
  pass(-90_000);
  fail("a clock that was set back");
  expect(lines.slice(1).map(({ msg, failures }) => [msg, failures])).toEqual([
    ["the cache failed: again", 4],
    ["the cache failed: a clock that was set back", 1],
  ]);
});

it("what the cache does well is no line, and secrets are none either", () => {
  const { engine, lines, fail } = watch();
  for (const result of ["hit", "miss", "joined", "kept"]) engine.emit("cache", { result });
  expect(lines).toEqual([]);
  fail(new Error("of redis://:hush-hush@host"));
  expect(lines[0]?.msg).toBe("the cache failed: of redis://:[secret]@host");
});

it("the journal of a gateway tells it", async () => {
  const lines: string[] = [];
  const gone = () => Promise.reject(new Error("it is gone"));
  const answers = { get: gone, put: gone, delete: gone, clear: gone };
  const engine = createEngine({ providers: [local()], cache: { answers } });
  const write = (line: string) => void lines.push(JSON.parse(line).msg);
  openJournal(engine, { level: "warn", isForPeople: false, scrub: (text) => text, write, now: () => 0 });
  await engine.chat({ model: "local/echo", messages: [{ role: "user", content: "hello" }] });
  expect(lines).toEqual(["the cache failed: it is gone"]);
  await engine.close();
});
