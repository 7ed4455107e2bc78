import { describe, expect, it, onTestFinished } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Counters, Settlement } from "../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled } from "../../support/books.ts";
import { engineOver, record } from "../../support/support.ts";

const provider: Provider = {
  name: "a",
  async embed() {
    const vectors = [{ object: "embedding", index: 0, embedding: [1] }];
    return { object: "list", model: "m", data: vectors, usage: promptOf(3) };
  },
};
const failing: Provider = {
  name: "b",
  async embed(asked, call) {
    call.answered?.({ request: asked, usage: promptOf(5) });
    throw new GatewayError("upstream_invalid_response", "is none");
  },
};
const ask = { model: "a/m", input: "12345678" };
const never = () => new Promise<never>(() => {});

/** Memory counters whose settlements come when they are told to. */
function slowlySettling(fields: Partial<Counters> = {}) {
  const inner = memoryCounters();
  const waiting: (() => void)[] = [];
  const settle: Counters["settle"] = (...given) =>
    new Promise<Settlement>((resolve) => waiting.push(async () => resolve(await inner.settle(...given))));
  const answerAll = async () => {
    for (const answer of waiting.splice(0)) answer();
    await settled();
  };
  return { counters: { ...inner, settle, ...fields }, answerAll };
}

/** An answer that is there is handed over after so many milliseconds, and not before. */
async function answersAfter(ms: number, { engine, clock, options }: Awaited<ReturnType<typeof keptBooks>>) {
  const call = engine.embed(ask, options);
  await settled();
  await clock.advance(ms - 1);
  expect(engine.inFlight).toBe(1);
  await clock.advance(1);
  expect(await call).toMatchObject({ usage: { prompt_tokens: 3 } });
}

describe("counters that do not answer a settlement", () => {
  it("keep the answer for a second, and its row from no ledger; what they say later is handed over", async () => {
    const { counters, answerAll } = slowlySettling();
    const store = memoryStore();
    const handedOver: number[] = [];
    const append: typeof store.ledger.append = (entries, standings = []) => {
      handedOver.push(entries.length, standings.length);
      return store.ledger.append(entries, standings);
    };
    const ledger = { ...store.ledger, append };
    const books = await keptBooks([provider], { counters, store: { ...store, ledger } });
    const { engine, clock, attempts } = books;
    const defects = record(engine, "defect");
    await answersAfter(1_000, books);
    expect(defects).toMatchObject([{ error: { code: "store_unavailable" } }]);
    expect([engine.inFlight, clock.pending, handedOver.slice(-2)]).toEqual([0, 0, [1, 0]]);
    await answerAll();
    expect(handedOver.slice(-2)).toEqual([0, 4]);
    expect(await attempts()).toMatchObject([{ cost_nano: 3_000 }]);
  });

  it("nor to narrow, which holds back neither the row nor the settlement", async () => {
    const { counters, answerAll } = slowlySettling({ reduce: never });
    const { engine, clock, options } = await keptBooks([provider, failing], { counters });
    const call = engine.embed({ ...ask, model: "b/m", fallbacks: ["a/m"] }, options);
    await settled();
    await clock.advance(1_000);
    expect(await call).toMatchObject({ usage: { prompt_tokens: 3 } });
    await answerAll();
    const { entries } = await engine.usage.entries({ limit: 9 });
    expect(entries).toMatchObject([{ attempts: [{ cost_nano: 5_000 }, { cost_nano: 3_000 }] }]);
    const [project] = (await engine.projects.list()).items;
    expect(await engine.usage.limits(String(project?.id), "project")).toMatchObject([
      { used_nano: 8_000, reserved: 0 },
    ]);
  });

  it("let an engine that closes write what a call cost that it cut off", async () => {
    const { counters } = slowlySettling();
    const store = memoryStore();
    const rows: string[] = [];
    let isOpen = true;
    const ledger: typeof store.ledger = {
      ...store.ledger,
      append: async (entries) => void rows.push(...entries.map(({ reason }) => `${reason} ${isOpen}`)),
    };
    const close = async () => {
      isOpen = false;
    };
    const silent: Provider = { name: "a", embed: never };
    const world = await keptBooks([silent], { counters, store: { ...store, ledger, close } });
    const call = world.engine.embed(ask, world.options).catch(({ code }) => code);
    await settled();
    const closing = world.engine.close({ graceMs: 100 });
    await world.clock.advance(5_000);
    await closing;
    expect([await call, rows, isOpen]).toEqual(["shutting_down", ["shutting_down true"], false]);
  });
});

it("counters that throw when they are to settle cost neither the answer nor its line of the bill", async () => {
  const settle = () => {
    throw new Error("down");
  };
  const { engine, options } = await keptBooks([provider], { counters: { ...memoryCounters(), settle } });
  const defects = record(engine, "defect");
  expect(await engine.embed(ask, options)).toMatchObject({ usage: { prompt_tokens: 3 } });
  const { entries } = await engine.usage.entries({ limit: 9 });
  expect(entries).toMatchObject([{ status: 200, attempts: [{ cost_nano: 3_000 }] }]);
  expect(defects).toMatchObject([{ error: { message: "down" } }]);
});

it("a ledger that does not say that a row is safe keeps the answer for ten seconds", async () => {
  const store = memoryStore();
  const ledger: typeof store.ledger = {
    ...store.ledger,
    append: (entries) => (entries.length > 0 ? never() : Promise.resolve()),
  };
  const books = await keptBooks([provider], { store: { ...store, ledger } });
  const { engine, clock } = books;
  const defects = record(engine, "defect");
  await answersAfter(10_000, books);
  expect([defects.length, engine.inFlight, clock.pending]).toEqual([1, 0, 0]);
});

describe("a store that does not answer when a key is looked up", () => {
  const begin = async (fields: { readonly counters?: Counters; readonly isLost?: boolean }) => {
    const store = memoryStore();
    const { options } = await keptBooks([provider], { store });
    const findByHash = fields.isLost ? () => Promise.reject(new Error("lost")) : store.records.findByHash;
    const records = { ...store.records, findByHash };
    const unheard: unknown[] = [];
    const hear = (thrown: unknown) => void unheard.push(thrown);
    process.on("unhandledRejection", hear);
    onTestFinished(() => void process.off("unhandledRejection", hear));
    const { counters = memoryCounters() } = fields;
    const { engine, clock } = engineOver([provider], { store: { ...store, records }, counters });
    const caller = new AbortController();
    const terms = { ...options, signal: caller.signal, timeouts: { whole: 2_000 } };
    const outcome = engine.embed(ask, terms).catch(({ code }: GatewayError) => code);
    await settled();
    return { engine, clock, caller, outcome, unheard };
  };

  it("nor do counters that are to be restored: no call is kept beyond its deadline", async () => {
    const { engine, clock, outcome } = await begin({ counters: { ...memoryCounters(), restore: never } });
    await clock.advance(2_000);
    expect([await outcome, engine.inFlight]).toEqual(["upstream_timeout", 0]);
  });

  it("nor a caller who hangs up", async () => {
    const { engine, caller, outcome } = await begin({ counters: { ...memoryCounters(), restore: never } });
    caller.abort();
    expect([await outcome, engine.inFlight]).toEqual(["request_cancelled", 0]);
  });

  it("and one that fails while counters are restored is a defect, not the end of the process", async () => {
    const { outcome, unheard } = await begin({ counters: { ...memoryCounters(), restore: never }, isLost: true });
    expect([await outcome, unheard]).toEqual(["internal", []]);
  });
});
