import { EventEmitter } from "eventemitter3";
import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { createEngine, GatewayError } from "../../../../src/index.ts";
import { logFaults } from "../../../../src/server/logging/fault-log.ts";
import { openLog } from "../../../../src/server/logging/log.ts";
import { createOutageLog } from "../../../../src/server/logging/outage-log.ts";
import { openRequestLog } from "../../../../src/server/logging/request-log.ts";

/** A log of what these events make a gateway say. */
function watch() {
  const engine = new EventEmitter();
  const lines: { level: string; msg: string; failures?: number; err?: object; cause?: string }[] = [];
  const log = openLog({
    level: "info",
    isForPeople: false,
    scrub: (text) => text.replaceAll("hush-hush", "[secret]"),
    write: (line) => void lines.push(JSON.parse(line)),
  });
  let at = 1_000_000;
  const now = () => at;
  const outages = createOutageLog({ log, now, backlog: () => ({ waiting: 0, lost: 0 }) });
  logFaults({ engine: engine as never, log, outages, now });
  const fail = (error: unknown) => engine.emit("cache", { result: "failed", error, event_id: "evt_0" });
  const tellDefect = (error: unknown) =>
    engine.emit("defect", { request_type: "chat_completion", error, event_id: "evt_0" });
  const pass = (ms: number) => {
    at += ms;
  };
  return { engine, lines, fail, tellDefect, pass };
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

describe("a defect", () => {
  const away = (why: string) =>
    new GatewayError("store_unavailable", `The store in PostgreSQL cannot be used just now: ${why}.`, {
      cause: new Error("connect to postgres://me:hush-hush@host"),
    });

  it("of a server that is away is told once a minute, without a stack, with how often it was", () => {
    const { lines, tellDefect: fail, pass } = watch();
    for (let call = 0; call < 3; call++) fail(away("it does not answer"));
    pass(59_999);
    fail(away("it does not answer"));
    fail(away("it refuses the password"));
    pass(1);
    fail(away("it does not answer"));
    const told = (why: string, failures: number) => ({
      level: "error",
      event_id: "evt_0",
      failures,
      cause: "connect to postgres://me:[secret]@host",
      msg: `The store in PostgreSQL cannot be used just now: ${why}.`,
    });
    expect(lines).toMatchObject([told("it does not answer", 1), told("it does not answer", 5)]);
    expect(lines.some((line) => "err" in line || JSON.stringify(line).includes("stack"))).toBe(false);
  });

  it("of another kind is told each time, with its stack", () => {
    const { lines, tellDefect: fail } = watch();
    for (let call = 0; call < 2; call++) fail(new TypeError("x is not a function"));
    fail("a text");
    const line = { level: "error", msg: "defect in chat_completion" };
    expect(lines).toMatchObject([
      { ...line, err: { message: "x is not a function", stack: expect.stringContaining("watch.test.ts") } },
      { ...line, err: { message: "x is not a function" } },
      { ...line, err: { message: "a text" } },
    ]);
  });
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
  openRequestLog(engine, { level: "warn", isForPeople: false, scrub: (text) => text, write, now: () => 0 });
  await engine.chat({ model: "local/echo", messages: [{ role: "user", content: "hello" }] });
  expect(lines).toEqual(["the cache failed: it is gone"]);
  await engine.close();
});
