import { describe, expect, it, onTestFinished } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { Engine } from "../../../src/index.ts";
import { keptBooks, settled } from "../support/books.ts";
import { engineOver } from "../support/support.ts";

const provider: Provider = { name: "a" };
const never = () => new Promise<never>(() => {});
const lost = () => Promise.reject(new Error("redis://user:secret@counts is gone"));
const thrown = () => {
  throw new Error("redis://user:secret@counts is gone");
};

/** An engine whose store and counters fail in one way, over records that were made before. */
async function failingEngine(fail: () => never | Promise<never>) {
  const store = memoryStore();
  const before = await keptBooks([provider], { store });
  const [key] = (await before.engine.keys.list()).items;
  const records = { ...store.records };
  const counters = memoryCounters();
  const ledger = { ...store.ledger };
  const answers = memoryCache();
  const options = { store: { ...store, records, ledger }, counters, cache: { answers } };
  const { engine, clock } = engineOver([provider], options);
  await engine.ready();
  return {
    engine,
    clock,
    key: { id: String(key?.id), value: before.options.key },
    failCounters: () => Object.assign(counters, { read: fail }),
    failStore: () => {
      Object.assign(records, { get: fail, put: fail, list: fail, remove: fail, findByHash: fail });
      Object.assign(ledger, { query: fail, entries: fail, prune: fail });
    },
    failCache: () => Object.assign(answers, { delete: fail, clear: fail }),
  };
}

interface Asked {
  readonly id: string;
  readonly value: string;
}

const always = { from: 0, to: 9e15 };
const customer = { name: "new" };
const short: readonly [string, string, (engine: Engine, key: Asked) => Promise<unknown>][] = [
  ["standing, of the counters", "counters", (engine, { id }) => engine.usage.limits(id)],
  ["keys.get", "store", (engine, { id }) => engine.keys.get(id)],
  ["keys.create", "store", (engine) => engine.keys.create({ name: "new" })],
  ["keys.update", "store", (engine, { id }) => engine.keys.update(id, { name: "new" })],
  ["keys.remove", "store", (engine, { id }) => engine.keys.remove(id)],
  ["customers.create", "store", (engine) => engine.customers.create(customer)],
  ["projects.list", "store", (engine) => engine.projects.list()],
  ["standing, of the store", "store", (engine, { id }) => engine.usage.limits(id)],
  ["standing of a customer", "store", (engine, { id }) => engine.usage.limits(id, "customer")],
  ["planFor", "store", (engine, { value }) => engine.planFor(value, { model: "a/m" })],
  ["cache.clear", "cache", (engine) => engine.cache.clear("trusted")],
];
const long: typeof short = [
  ["query", "store", (engine) => engine.usage.query(always)],
  ["entries", "store", (engine) => engine.usage.entries({ limit: 1 })],
  ["prune", "store", (engine) => engine.usage.prune({ before: 1 })],
];

type World = Awaited<ReturnType<typeof failingEngine>>;
const failPort = ({ failCounters, failStore, failCache }: World, port: string) => {
  if (port === "counters") failCounters();
  else if (port === "store") failStore();
  else failCache();
};

describe.each([
  ["rejects", lost],
  ["throws", thrown],
] as const)("a port of one's own that %s", (_how, fail) => {
  it.each([...short, ...long])(
    "%s: is told by its name, and its own words are for the log",
    async (_name, port, ask) => {
      const world = await failingEngine(fail);
      failPort(world, port);
      const error = await ask(world.engine, world.key).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: "GatewayError", code: "internal", param: port, cause: expect.any(Error) });
      expect((error as Error).message).not.toContain("secret");
    },
  );
});

it.each(short)("a port that never answers %s: keeps nobody for more than ten seconds", async (_name, port, ask) => {
  const world = await failingEngine(never);
  failPort(world, port);
  const outcome = ask(world.engine, world.key).catch((caught: unknown) => caught);
  await settled();
  await world.clock.advance(10_000);
  expect(await outcome).toMatchObject({
    code: "store_unavailable",
    status: 503,
    message: expect.stringContaining(port),
  });
  expect(world.clock.pending).toBe(0);
});

it("counters that cannot be restored are told as such, by ready, by a call and by the standing of a key", async () => {
  const store = memoryStore();
  const { options } = await keptBooks([provider], { store });
  const { engine } = engineOver([provider], { store, counters: { ...memoryCounters(), restore: lost } });
  const failure = { code: "internal", param: "counters" };
  await expect(engine.ready()).rejects.toMatchObject(failure);
  await expect(engine.embed({ model: "a/m", input: "x" }, options)).rejects.toMatchObject({ code: "internal" });
  const [key] = (await engine.keys.list()).items;
  await expect(engine.usage.limits(String(key?.id))).rejects.toMatchObject(failure);
});

describe("a recovery that failed", () => {
  /** An engine whose counters cannot be restored until `mend`. */
  async function unrestored() {
    const store = memoryStore();
    const { options } = await keptBooks([answering], { store });
    const state = { isMended: false, tries: 0 };
    const restore = () => {
      state.tries++;
      if (!state.isMended) thrown();
    };
    const { engine, clock } = engineOver([answering], { store, counters: { ...memoryCounters(), restore } });
    await engine.ready().catch(() => {});
    const ask = () => engine.embed({ model: "a/m", input: "x" }, options).then(Object, ({ code }) => code);
    return { clock, ask, state };
  }
  const data = [{ index: 0, object: "embedding" as const, embedding: [1] }];
  const answering: Provider = { name: "a", embed: async ({ model }) => ({ object: "list", model, data }) };

  it("lets no call with a key through", async () => {
    const { clock, ask } = await unrestored();
    await clock.advance(1_000);
    expect(await ask()).toBe("internal");
  });

  it("is tried again by who comes a second later, once for all", async () => {
    const { clock, ask, state } = await unrestored();
    state.isMended = true;
    await clock.advance(999);
    expect([await ask(), state.tries]).toEqual(["internal", 1]);
    await clock.advance(1);
    const answers = await Promise.all([ask(), ask(), ask()]); // of a key for one request a day
    expect([answers, state.tries]).toMatchObject([[{ data }, "request_limited", "request_limited"], 2]);
    await clock.advance(60_000);
    expect([await ask(), state.tries]).toEqual(["request_limited", 2]);
  });
});

it("a close that does not end keeps no other port open, and the engine for ten seconds each", async () => {
  const closed: string[] = [];
  const close = (name: string) => async () => void closed.push(name);
  const store = { ...memoryStore(), close: close("store") };
  const counters = { ...memoryCounters(), close: close("counters") };
  const throwing = { ...memoryCache(), close: thrown };
  const vectors = { put: never, nearest: never, delete: never, clear: never, close: close("vectors") };
  const embedder: Provider = { name: "e", embed: never, close: never };
  const cache = { answers: throwing, vectors, embed: "e/m" };
  const { engine, clock } = engineOver([embedder], { store, counters, cache });
  const outcome = engine.close().catch((caught: unknown) => caught);
  await settled();
  await clock.advance(10_000);
  expect(await outcome).toMatchObject({ code: "store_unavailable", message: expect.stringContaining("provider") });
  expect([closed, clock.pending]).toEqual([["vectors", "counters", "store"], 0]);
});

it.each([lost, thrown])("a ledger that fails to draw a line refuses no call and ends no process: %o", async (fail) => {
  const store = memoryStore();
  const ledger = { ...store.ledger, checkpoint: fail };
  const heard: Record<"warning" | "unhandledRejection", unknown[]> = { warning: [], unhandledRejection: [] };
  for (const name of ["warning", "unhandledRejection"] as const) {
    const hear = (what: unknown) => void heard[name].push(what);
    process.on(name, hear);
    onTestFinished(() => void process.off(name, hear));
  }
  const embed: Provider["embed"] = async () => ({ object: "list", model: "m", data: [] });
  const { engine, options } = await keptBooks([{ name: "a", embed }], { store: { ...store, ledger } });
  expect(await engine.embed({ model: "a/m", input: "x" }, options)).toMatchObject({ model: "m" });
  await settled();
  expect([heard.unhandledRejection, heard.warning.length]).toEqual([[], 1]);
});
