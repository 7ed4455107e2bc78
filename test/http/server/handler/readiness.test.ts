import { expect, test } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { turns } from "../../support/server.ts";

/** An engine over a store whose records fail, or never answer, while the test says so. */
function engineOver(state: { fault: "none" | "fails" | "silent" }) {
  const clock = fakeClock();
  const store = memoryStore();
  let asked = 0;
  const records: Store["records"] = Object.assign(Object.create(store.records), {
    get: (...question: Parameters<Store["records"]["get"]>) => {
      asked += 1;
      if (state.fault === "fails") throw new Error("password of the database: hunter2");
      return state.fault === "silent" ? new Promise(() => {}) : store.records.get(...question);
    },
  });
  const engine = createEngine({ providers: [local()], store: { ...store, records }, clock });
  const ask = async (path: string) => {
    const response = await engine.fetch(`http://engine${path}`);
    return { status: response.status, body: await response.json() };
  };
  return { engine, clock, ask, asked: () => asked };
}

test("GET /health/ready says what calls depend on, and 503 with the reason while something fails", async () => {
  const state: { fault: "none" | "fails" | "silent" } = { fault: "none" };
  const { engine, clock, ask } = engineOver(state);
  await engine.ready();
  const ok = { status: "ok", milliseconds: 0 };
  const ready = { status: "ready", in_flight: 0, checks: { store: ok, counters: ok, recovery: ok } };
  expect(await ask("/health/ready")).toEqual({ status: 200, body: ready });
  state.fault = "fails";
  await clock.advance(1_000);
  const failing = await ask("/health/ready");
  expect(failing).toMatchObject({
    status: 503,
    body: { status: "unavailable", checks: { store: { status: "failed" } } },
  });
  expect(JSON.stringify(failing)).not.toContain("hunter2");
  state.fault = "silent";
  await clock.advance(1_000);
  const waiting = ask("/health/ready");
  await turns(5);
  await clock.advance(1_000);
  expect(await waiting).toMatchObject({
    status: 503,
    body: { checks: { store: { status: "failed", milliseconds: 1_000 }, counters: ok } },
  });
  expect(await ask("/health/live")).toEqual({ status: 200, body: { status: "ok" } });
  state.fault = "none";
  await clock.advance(1_000);
  expect(await ask("/health/ready")).toMatchObject({ status: 200 });
  await engine.close();
  expect(await ask("/health/ready")).toMatchObject({ status: 503, body: { status: "draining" } });
  expect(await ask("/health/live")).toMatchObject({ status: 200 });
  expect(await ask("/health")).toMatchObject({ status: 503 });
});

test("however many ask within a second, the store is asked once", async () => {
  const { engine, clock, ask, asked } = engineOver({ fault: "none" });
  await Promise.all(Array.from({ length: 50 }, () => ask("/health/ready")));
  expect(asked()).toBe(1);
  await clock.advance(999);
  await ask("/health/ready");
  expect(asked()).toBe(1);
  await clock.advance(1);
  await ask("/health/ready");
  expect(asked()).toBe(2);
  await engine.close();
});

test("an engine without a store has nothing to wait for", async () => {
  const engine = createEngine({ providers: [local()] });
  expect(await engine.readiness()).toEqual({ status: "ready", in_flight: 0, checks: {} });
  await engine.close();
});

test("an engine whose end is announced takes calls, and says that it is not ready", async () => {
  const { engine, ask } = engineOver({ fault: "none" });
  engine.announceClose();
  expect(await ask("/health/ready")).toMatchObject({ status: 503, body: { status: "draining" } });
  expect(await ask("/health")).toMatchObject({ status: 503 });
  expect(await ask("/health/live")).toMatchObject({ status: 200 });
  const asked = { model: "local/echo", messages: [{ role: "user" as const, content: "hello" }] };
  expect((await engine.chat(asked)).choices).toHaveLength(1);
  expect([engine.isLeaving, engine.isDraining]).toEqual([true, false]);
  await engine.close();
});
