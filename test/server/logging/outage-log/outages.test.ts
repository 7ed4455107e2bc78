import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../src/index.ts";
import { openLog } from "../../../../src/server/logging/log.ts";
import { createOutageLog, type Dependency } from "../../../../src/server/logging/outage-log.ts";
import { openRequestLog } from "../../../../src/server/logging/request-log.ts";
import { createLook } from "../../../../src/server/telemetry/observers.ts";
import { scriptedEngine } from "../../../../src/testing/engine.ts";

interface Line {
  readonly at: number;
  readonly level: string;
  readonly msg: string;
  readonly dependency?: Dependency;
  readonly failures?: number;
  readonly cause?: string;
  readonly waiting?: number;
  readonly lost?: number;
  readonly outage_ms?: number;
}

function watch() {
  const lines: Line[] = [];
  const world = { at: 1_000_000, waiting: 0, lost: 0 };
  const log = openLog({
    level: "info",
    isForPeople: false,
    scrub: (text) => text,
    write: (line) => void lines.push({ ...JSON.parse(line), at: world.at }),
  });
  const outages = createOutageLog({
    log,
    now: () => world.at,
    backlog: () => ({ waiting: world.waiting, lost: world.lost }),
  });
  return { outages, lines, world };
}

const away = (what = "store") =>
  new GatewayError("store_unavailable", `The ${what} cannot be used just now: it does not answer.`, {
    cause: new Error("connect ECONNREFUSED 127.0.0.1:5432"),
  });

describe("an outage", () => {
  it("is one error line with its cause, another one each minute, and one when it is over", () => {
    const { outages, lines, world } = watch();
    for (let second = 0; second < 130; second++) {
      outages.failed("store", second % 2 === 0 ? away() : new GatewayError("store_unavailable", "The ledger is late."));
      world.at += 1_000;
    }
    world.at += 8_999;
    outages.answered("store");
    expect(lines.filter(({ level }) => level === "info")).toEqual([]);
    world.at += 1;
    outages.answered("store");
    outages.answered("store");
    expect(lines).toMatchObject([
      { level: "error", dependency: "store", failures: 1, cause: "connect ECONNREFUSED 127.0.0.1:5432" },
      { level: "error", dependency: "store", failures: 60 },
      { level: "error", dependency: "store", failures: 60 },
      { level: "info", msg: "the outage of the store is over", outage_ms: 129_000 },
    ]);
    expect(lines).toHaveLength(4);
  });

  it("of the counters is another one, and a recovery that fails is that of what it failed with", () => {
    const { outages, lines } = watch();
    outages.failed("store", away());
    outages.failed("recovery", away());
    outages.failed("recovery", away("counters in Redis"));
    outages.failed("recovery", new Error("something else"));
    expect(lines.map(({ dependency }) => dependency)).toEqual(["store", "counters", "recovery"]);
  });

  it("is not over while rows wait", () => {
    const { outages, lines, world } = watch();
    world.waiting = 3;
    outages.failed("store", away());
    world.at += 60_000;
    outages.answered("store");
    outages.look();
    outages.look();
    world.waiting = 0;
    outages.answered("store");
    expect(lines).toMatchObject([
      { level: "error", waiting: 3 },
      { level: "error", waiting: 3, msg: "3 rows of the ledger are not written yet" },
      { level: "info", msg: "the outage of the store is over" },
    ]);
  });

  type Step = readonly [kind: "failed" | "answered", dependency: "store" | "counters", ms: number];
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom("failed", "answered"),
    fc.constantFrom("store", "counters"),
    fc.integer({ min: 0, max: 40_000 }),
  );

  function play(steps: readonly Step[]) {
    const { outages, lines, world } = watch();
    const failures: { at: number; dependency: Dependency; linesBefore: number }[] = [];
    for (const [kind, dependency, ms] of steps) {
      world.at += ms;
      if (kind === "answered") outages.answered(dependency);
      else {
        failures.push({ at: world.at, dependency, linesBefore: lines.length });
        outages.failed(dependency, away(dependency));
      }
    }
    const of = (name: Dependency) => lines.filter(({ dependency }) => dependency === name);
    return { failures, of, lines };
  }

  it("never has two error lines within a minute", () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { of } = play(steps);
        for (const name of ["store", "counters"] as const) {
          let last: Line | undefined;
          for (const line of of(name)) {
            if (line.level === "error" && last?.level === "error")
              expect(line.at - last.at).toBeGreaterThanOrEqual(60_000);
            last = line;
          }
        }
      }),
    ));

  it("ends once, behind its error line, after ten seconds without a failure", () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { of, failures, lines } = play(steps);
        for (const name of ["store", "counters"] as const) {
          const all = of(name);
          for (const [position, line] of all.entries()) {
            if (line.level !== "info") continue;
            expect(all[position - 1]?.level).toBe("error");
            const before = failures.filter(({ linesBefore }) => linesBefore <= lines.indexOf(line)); // also of the same instant
            const near = before.filter((one) => one.dependency === name && one.at > line.at - 10_000);
            expect(near).toEqual([]);
          }
        }
      }),
    ));

  it("is never silent: the first failure of an outage has its line", () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { of, failures } = play(steps);
        for (const { dependency } of failures) expect(of(dependency)[0]?.level).toBe("error");
        for (const name of ["store", "counters"] as const)
          if (failures.some((one) => one.dependency === name))
            expect(of(name)[0]?.at).toBe(failures.find((one) => one.dependency === name)?.at);
      }),
    ));
});

it("rows that are lost are counted", () => {
  const { outages, lines, world } = watch();
  outages.look();
  world.lost = 2_000;
  outages.look();
  outages.look();
  world.lost = 2_001;
  outages.look();
  expect(lines).toMatchObject([
    { level: "error", lost: 2_000, msg: "2000 rows of the ledger are lost" },
    { level: "error", lost: 1, msg: "1 row of the ledger is lost" },
  ]);
});

it("a look at a gateway finds the outage of a store that nobody uses", async () => {
  const store = memoryStore();
  let isAway = false;
  const get: typeof store.records.get = (...question) => {
    if (isAway) throw away();
    return store.records.get(...question);
  };
  const engine = scriptedEngine(
    { "a/m": [{ kind: "answer", text: "x" }] },
    { store: { ...store, records: { ...store.records, get } } },
  );
  const lines: Line[] = [];
  const clock = engine.clock as ReturnType<typeof scriptedEngine>["clock"];
  const { log, outages } = openRequestLog(engine as never, {
    level: "info",
    isForPeople: false,
    scrub: (text) => text,
    write: (line) => void lines.push(JSON.parse(line)),
    now: () => clock.now(),
  });
  const descriptors = { open: 90, limit: 100 };
  const look = createLook({ engine, outages, log }, async () => descriptors);
  await look();
  expect(lines).toMatchObject([{ level: "warn", open: 90, limit: 100 }]);
  isAway = true;
  await new Promise<void>((resolve) => clock.after(1_000, resolve));
  await look();
  isAway = false;
  await new Promise<void>((resolve) => clock.after(11_000, resolve));
  await look();
  expect(lines.slice(1)).toMatchObject([
    { level: "error", dependency: "store", cause: "connect ECONNREFUSED 127.0.0.1:5432" },
    { level: "info", msg: "the outage of the store is over" },
  ]);
  await engine.close();
});
