import fc from "fast-check";
import { expect, it } from "vitest";
import { observeDependencies } from "../../../../adapters/telemetry/opentelemetry/dependencies.ts";
import { observeEngine } from "../../../../adapters/telemetry/opentelemetry/index.ts";
import { observeProcess } from "../../../../src/server/telemetry/process-metrics.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { collectTelemetry } from "../../support/collected.ts";

/** An engine whose state the test sets. */
function fakeEngine() {
  const state = { status: "ok", milliseconds: 4, keys: new Map<string, number>() };
  const engine = {
    ...{ on: () => () => {}, health: () => [], inFlight: 0, clock: { now: () => 0 } },
    inFlightByKey: () => state.keys,
    readiness: async () => ({ checks: { store: { status: state.status, milliseconds: state.milliseconds } } }),
  };
  const { providers, points } = collectTelemetry();
  return { state, engine, meter: providers.meterProvider.getMeter("t"), points };
}

it("what calls depend on is 1 while it answers, with the seconds that it took, and 0 while it does not", async () => {
  const { state, engine, meter, points } = fakeEngine();
  const stop = observeDependencies(engine, meter);
  const attributes = { "tollgate.dependency": "store" };
  expect(await points("tollgate.dependency.up")).toEqual([{ attributes, value: 1 }]);
  expect(await points("tollgate.dependency.duration")).toEqual([{ attributes, value: 0.004 }]);
  state.status = "failed";
  expect(await points("tollgate.dependency.up")).toEqual([{ attributes, value: 0 }]);
  expect(await points("tollgate.ledger.waiting")).toEqual([]);
  stop();
});

it("the ledger's rows and the pool's connections are those of the store", async () => {
  const { engine, meter, points } = fakeEngine();
  const rows = { waiting: 12, lost: 3 };
  observeDependencies(engine, meter, {
    ledger: { backlog: () => rows },
    connections: () => ({ used: 3, idle: 5, waiting: 2 }),
  });
  expect(await points("tollgate.ledger.waiting")).toEqual([{ attributes: {}, value: 12 }]);
  expect(await points("tollgate.ledger.lost")).toEqual([{ attributes: {}, value: 3 }]);
  expect(await points("db.client.connection.count")).toEqual([
    { attributes: { "db.client.connection.state": "used" }, value: 3 },
    { attributes: { "db.client.connection.state": "idle" }, value: 5 },
  ]);
  expect(await points("db.client.connection.pending_requests")).toEqual([{ attributes: {}, value: 2 }]);
});

it("calls under way are counted by key, of a hundred keys at most, and none is left out of the sum", async () => {
  const key = fc.integer({ min: 0, max: 400 }).map((n) => `vk_${n}`);
  const moments = fc.array(fc.dictionary(key, fc.integer({ min: 1, max: 9 }), { maxKeys: 150 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(moments, async (counts) => {
      const { state, engine, meter, points } = fakeEngine();
      observeDependencies(engine, meter);
      for (const moment of counts) {
        state.keys = new Map(Object.entries(moment));
        const seen = await points("tollgate.key.requests.active");
        expect(seen.length).toBeLessThanOrEqual(101);
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(seen.map(({ value }) => value as number))).toBe(sum(Object.values(moment)));
        for (const { attributes, value } of seen) {
          const id = String(attributes["tollgate.key_id"]);
          if (id !== "other") expect(value).toBe(moment[id] ?? 0);
        }
      }
    }),
    { numRuns: 30 },
  );
});

it("an engine tells whose calls are under way", async () => {
  const { memoryStore } = await import("../../../../adapters/stores/memory/index.ts");
  const engine = scriptedEngine({ "a/m": [{ kind: "silence" }] }, { store: memoryStore() });
  const { providers, points } = collectTelemetry();
  observeEngine(engine, providers);
  const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
  const { value, key } = await engine.keys.create({ name: "k", provider_configs });
  const ends = new AbortController();
  const request = { model: "a/m", messages: [{ role: "user" as const, content: "hi" }] };
  const calls = [1, 2].map(() => engine.chat(request, { key: value, signal: ends.signal }).catch(() => {}));
  await new Promise((resolve) => setImmediate(resolve));
  const attributes = { "tollgate.key_id": key.id };
  expect(await points("tollgate.key.requests.active")).toEqual([{ attributes, value: 2 }]);
  ends.abort();
  await Promise.all(calls);
  expect(await points("tollgate.key.requests.active")).toEqual([{ attributes, value: 0 }]);
  await engine.close();
});

it("a process says what it is and uses", async () => {
  const { meter, points } = fakeEngine();
  const stop = observeProcess(meter, { version: "1.2.3", store: "sqlite" });
  const latest = async (name: string) => (await points(name))[0]?.value as number;
  let delay = 0;
  for (let turn = 0; turn < 20 && delay < 0.05; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 45)); // the loop is looked at every 20 ms
    const busyUntil = performance.now() + 100;
    while (performance.now() < busyUntil); // what holds it up
    await new Promise((resolve) => setTimeout(resolve, 25));
    delay = await latest("nodejs.eventloop.delay.max");
  }
  expect(delay).toBeGreaterThan(0.05);
  expect(await latest("process.memory.usage")).toBeGreaterThan(20e6);
  expect(await latest("nodejs.heap.used")).toBeLessThan(await latest("nodejs.heap.limit"));
  expect(await latest("process.open_file_descriptor.count")).toBeGreaterThan(3);
  expect(await latest("process.open_file_descriptor.limit")).toBeGreaterThan(100);
  const info = {
    "tollgate.version": "1.2.3",
    "tollgate.store": "sqlite",
    "process.runtime.version": process.versions.node,
  };
  expect(await points("tollgate.build.info")).toEqual([{ attributes: info, value: 1 }]);
  stop();
});
