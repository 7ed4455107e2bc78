import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPool, restartPolicy } from "../../../src/server/workers/pool.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";
import { fakeWorkers } from "../../cli/support/workers/fake-workers.ts";

const killed = { code: null, signal: "SIGKILL" };
const ok = { code: 0, signal: undefined };

function opened(count: number) {
  const workers = fakeWorkers();
  const terminal = fakeTerminal({ now: workers.now });
  return { workers, terminal, pool: openPool({ count, ...workers, terminal }) };
}

describe("workers of a gateway", () => {
  it("start one alone, and the others when it serves", () => {
    const { workers, pool } = opened(3);
    pool.start();
    expect(workers.started.map(({ number, announces }) => [number, announces])).toEqual([[1, true]]);
    workers.started[0]?.report({ kind: "serving" });
    workers.started[0]?.report({ kind: "serving" });
    expect(workers.started.map(({ number, announces }) => [number, announces])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
  });

  it("end with the code of a first one that cannot serve", async () => {
    const { workers, pool } = opened(3);
    pool.start();
    workers.started[0]?.end({ code: 1, signal: undefined });
    expect(await pool.done).toBe(1);
    expect(workers.started).toHaveLength(1);
  });

  it("end with 0 when all ended so, and with the code of one that did not", async () => {
    for (const [ends, code] of [
      [[ok, ok], 0],
      [[ok, { code: 143, signal: undefined }], 143],
      [[killed, ok], 1],
      [[ok, { code: null, signal: "SIGTERM" }], 0],
    ] as const) {
      const { workers, pool } = opened(2);
      pool.start();
      workers.started[0]?.report({ kind: "serving" });
      pool.stop("SIGTERM");
      expect(workers.started.map(({ signals }) => signals)).toEqual([["SIGTERM"], ["SIGTERM"]]);
      for (const [at, end] of ends.entries()) workers.started[at]?.end(end);
      expect(await pool.done).toBe(code);
    }
  });

  it("are replaced at once, or after growing pauses where they die young, and each death is said", () => {
    const { workers, terminal, pool } = opened(2);
    pool.start();
    workers.started[0]?.report({ kind: "serving" });
    workers.pass(60_000);
    workers.started[1]?.end(killed);
    workers.pass(0);
    expect(workers.started.map(({ number }) => number)).toEqual([1, 2, 2]);
    workers.started[2]?.end({ code: 1, signal: undefined });
    workers.pass(499);
    expect(workers.started).toHaveLength(3);
    workers.pass(1);
    expect(workers.started).toHaveLength(4);
    expect(terminal.written.err).toBe(
      "tollgate: Worker 2 (process 2) ended by SIGKILL; another one is started.\n" +
        "tollgate: Worker 2 (process 3) ended with code 1; another one is started in 0.5 s.\n",
    );
  });

  it("are never more than asked for, come back after any deaths, and none is left after a stop", async () => {
    const event = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("end" as const), at: fc.nat(7), signal: fc.boolean() }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(40_000) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("stop" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 40 }), async (count, events) => {
        const { workers, pool } = opened(count);
        pool.start();
        workers.started[0]?.report({ kind: "serving" });
        let isStopped = false;
        for (const step of events) {
          const running = [...workers.running];
          if (step.kind === "end") running[step.at % running.length]?.end(step.signal ? killed : ok);
          if (step.kind === "pass") workers.pass(step.ms);
          if (step.kind === "stop") pool.stop("SIGTERM");
          isStopped ||= step.kind === "stop";
          const numbers = [...workers.running].map(({ number }) => number);
          expect(new Set(numbers).size).toBe(numbers.length);
          expect(numbers.length + (isStopped ? 0 : workers.waiting())).toBeLessThanOrEqual(count);
          expect(isStopped && workers.waiting() > 0).toBe(false);
        }
        if (!isStopped) {
          workers.pass(30_000);
          expect(workers.running.size).toBe(count);
          pool.stop("SIGTERM");
        }
        for (const worker of [...workers.running]) worker.end(ok);
        expect(workers.running.size).toBe(0);
        await pool.done;
      }),
    );
  });
});

it("pauses between starts grow to half a minute, and a long life ends them", () => {
  let now = 0;
  const policy = restartPolicy(() => now);
  const pauses = Array.from({ length: 9 }, () => {
    policy.started();
    return policy.pauseMs();
  });
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  policy.started();
  now += 10_000;
  expect(policy.pauseMs()).toBe(0);
  policy.started();
  expect(policy.pauseMs()).toBe(500);
});
