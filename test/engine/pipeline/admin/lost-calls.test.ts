import { expect, it, vi } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Counters } from "../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { scriptedProviders } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages } from "../../support/support.ts";

/** A vendor that never answers. */
const silent: Provider = { name: "a", chat: () => new Promise(() => {}) };

/** Counters that others may be counting in, too. */
function sharedCounters(): Counters {
  const { restore: _alone, ...shared } = memoryCounters();
  return shared;
}

/** An engine with a call under way that nobody will answer, as long after its beginning as it takes to be recorded. */
async function withCallUnderWay(store: Store, counters = memoryCounters()) {
  const { engine, clock } = engineOver([silent], { store, counters });
  const { key, value } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    budgets: [{ max_limit: 1, reset_duration: "1d" }],
  });
  const call = engine.chat({ model: "a/m", messages, metadata: { team: "blue" } }, { key: value });
  call.catch(() => {});
  await vi.waitFor(() => expect(engine.inFlight).toBe(1));
  await vi.waitFor(async () => {
    clock.advance(1_000);
    expect((await store.records.list("calls", { limit: 10 })).records).toHaveLength(1);
  });
  return { engine, clock, key };
}

const lostRows = async (store: Store) =>
  (await store.ledger.entries({ limit: 10, filters: { reason: "lost" } })).entries;

it("the calls of a process that was killed get a row each, once, when the next one takes its place", async () => {
  const store = memoryStore();
  const { key } = await withCallUnderWay(store);
  const next = () => engineOver([silent], { store });
  next();
  await vi.waitFor(async () => expect(await lostRows(store)).toHaveLength(1));
  expect(await lostRows(store)).toMatchObject([
    { key_id: key.id, model_requested: "a/m", status: 500, reason: "lost", metadata: { team: "blue" }, attempts: [] },
  ]);
  await next().engine.ready();
  await vi.waitFor(async () => expect((await store.records.list("calls", { limit: 10 })).records).toHaveLength(0));
  expect(await lostRows(store)).toHaveLength(1);
});

it("calls that were settled after they were recorded keep their one row, whenever their process died", async () => {
  const store = memoryStore();
  const open: (() => void)[] = [];
  const { providers } = scriptedProviders({ "a/m": [answer("one"), answer("two")] });
  const chat: NonNullable<Provider["chat"]> = async (request, call) => {
    await new Promise<void>((resolve) => open.push(resolve));
    return (providers[0] as Required<Provider>).chat(request, call);
  };
  const slow: Provider = { name: "a", chat };
  const { engine, clock } = engineOver([slow], { store });
  const { value: key } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const calls = [1, 2, 3].map(() => engine.chat({ model: "a/m", messages }, { key }));
  calls[2]?.catch(() => {});
  await vi.waitFor(() => expect(open).toHaveLength(3));
  await vi.waitFor(async () => {
    clock.advance(1_000);
    expect((await store.records.list("calls", { limit: 10 })).records).toHaveLength(1);
  });
  open[0]?.();
  open[1]?.();
  await Promise.all(calls.slice(0, 2));
  engineOver([silent], { store });
  await vi.waitFor(async () => expect(await lostRows(store)).toHaveLength(1));
  const { entries } = await store.ledger.entries({ limit: 10 });
  expect(entries.map(({ status }) => status).sort()).toEqual([200, 200, 500]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
});

it("of several gateways another one writes them, when the reservations of the calls have lapsed and not before", async () => {
  const store = memoryStore();
  const { clock } = await withCallUnderWay(store, sharedCounters());
  const [{ record } = { record: { lapses_at: 0 } }] = (await store.records.list("calls", { limit: 10 })).records;
  const startsAt = async (startAt: number) => {
    const own = { now: () => startAt, after: () => () => {} };
    const { engine } = engineOver([silent], { store, counters: sharedCounters(), clock: own });
    await engine.ready();
    await new Promise((resolve) => setImmediate(resolve));
    return (await lostRows(store)).length;
  };
  expect(await startsAt(record.lapses_at - 1)).toBe(0);
  expect(record.lapses_at).toBeGreaterThan(clock.now() + 60_000);
  expect(await startsAt(record.lapses_at)).toBe(1);
});

it("calls that end leave no record, and those that end within a second never had one", async () => {
  const store = memoryStore();
  const put = vi.spyOn(store.records, "put");
  const { engine, clock } = engineOver(scriptedProviders({ "a/m": [answer("hi")] }).providers, { store });
  await engine.chat({ model: "a/m", messages });
  clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(put).not.toHaveBeenCalled();
  const { engine: second } = await withCallUnderWay(store);
  await second.close({ graceMs: 0 });
  expect((await store.records.list("calls", { limit: 10 })).records).toHaveLength(0);
  expect(await lostRows(store)).toHaveLength(0);
});
