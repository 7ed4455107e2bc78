import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Counters } from "../../../../src/engine/ports/counters.ts";
import type { Prices } from "../../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled } from "../../support/books.ts";
import { textOf } from "../../support/support.ts";

const unreadable = () => new GatewayError("upstream_invalid_response", "is none");
const vectors = { object: "list", model: "m", data: [{ object: "embedding", index: 0, embedding: [1] }] };

/** Answers one part of the request with so many tokens, and fails. */
const failing = (name: string, tokens: number): Provider => ({
  name,
  async embed(asked, call) {
    call.answered?.({ request: asked, usage: promptOf(tokens) });
    throw unreadable();
  },
});
const answering = (name: string, tokens: number): Provider => ({
  name,
  embed: async () => ({ ...vectors, usage: promptOf(tokens) }),
});
const ask = { model: "a/m", fallbacks: ["b/m", "c/m"], input: "12345678" };
const noTokenizer = () => {
  throw new Error("no tokenizer");
};
const tokens = { countText: noTokenizer, countChat: noTokenizer };

/** Memory counters of which the so manieth call of a method throws at once. */
function countersThat(method: "reduce" | "settle", turn: number): Counters {
  const inner = memoryCounters() as Required<Counters>;
  let turns = 0;
  const failingOnce = (...args: Parameters<Counters["settle"]>) => {
    if (++turns === turn) throw new Error("down");
    return inner[method](...args);
  };
  return { ...inner, [method]: failingOnce };
}

describe("counters that throw at once", () => {
  it("are asked to settle what they cannot narrow", async () => {
    const counters = countersThat("reduce", 1);
    const { engine, options, attempts } = await keptBooks([failing("a", 5), answering("b", 7)], { counters });
    await engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    expect(await attempts()).toMatchObject([{ cost_nano: 5_000 }, { cost_nano: 7_000 }]);
  });

  it("do not keep a request out of the ledger that was answered", async () => {
    const counters = countersThat("settle", 2);
    const { engine, options } = await keptBooks([failing("a", 5), answering("b", 7)], { counters });
    await engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    const { entries } = await engine.usage.entries({ limit: 9 });
    expect(entries).toMatchObject([{ status: 200, attempts: [{ cost_nano: 5_000 }, { cost_nano: 7_000 }] }]);
  });

  it("keep no other ticket of the call reserved", async () => {
    const counters = countersThat("settle", 2); // after that of who answered: the first that is owed
    const providers = [failing("a", 5), failing("b", 6), answering("c", 7)];
    const names: string[] = [];
    const reserve: Counters["reserve"] = (call) => {
      names.push(...call.holds.map(({ counter }) => counter));
      return memory.reserve(call);
    };
    const memory = { ...counters };
    const { engine, options } = await keptBooks(providers, { counters: { ...counters, reserve } });
    await engine.embed(ask, options);
    const readings = await memory.read([...new Set(names)], 1_767_225_600_000);
    const budgets = readings.filter((reading) => (reading?.used ?? 0) > 1);
    expect(budgets).toHaveLength(3);
    for (const budget of budgets) expect(budget).toMatchObject({ used: 13_000, reserved: 5_000 });
  });
});

describe("a tokenizer that throws", () => {
  it("lets a stream be billed by a guess, and end", async () => {
    const stream: Provider = {
      name: "a",
      async *streamChat(_request, { id, model }) {
        const chunk = { id, object: "chat.completion.chunk", created: 1, model };
        yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content: "hi" } }] };
        yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
      },
    };
    const { engine, options, attempts } = await keptBooks([stream], { tokens });
    const said = await engine.streamChat({ model: "a/m", messages: [{ role: "user", content: "hi" }] }, options);
    expect(await textOf(said)).toBe("hi");
    expect(await attempts()).toMatchObject([{ is_estimated: true, completion_tokens: 1 }]);
    await engine.close();
  });

  it("does not keep the next candidate from being asked", async () => {
    const silent: Provider = {
      name: "a",
      async embed(asked, call) {
        call.answered?.({ request: asked, usage: undefined });
        throw unreadable();
      },
    };
    const { engine, options, attempts } = await keptBooks([silent, answering("b", 7)], { tokens });
    await engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    expect(await attempts()).toMatchObject([{ prompt_tokens: 2, is_estimated: true }, { prompt_tokens: 7 }]);
  });
});

describe("a provider that tells nonsense of its parts", () => {
  it("does not keep the next candidate from being asked", async () => {
    const odd: Provider = {
      name: "a",
      async embed(_asked, call) {
        call.answered?.(undefined as never);
        throw unreadable();
      },
    };
    const { engine, options, attempts } = await keptBooks([odd, answering("b", 7)]);
    await engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    expect(await attempts()).toMatchObject([{ reason: "upstream_invalid_response" }, { prompt_tokens: 7 }]);
  });

  it("is billed an estimate where the parts' sum is no count", async () => {
    const huge: Provider = {
      name: "a",
      async embed(asked, call) {
        for (let part = 0; part < 2; part++) call.answered?.({ request: asked, usage: promptOf(2 ** 40) });
        throw unreadable();
      },
    };
    const { engine, options, attempts } = await keptBooks([huge]);
    await engine.embed({ model: "a/m", input: ask.input }, options).catch(() => {});
    expect(await attempts()).toMatchObject([{ prompt_tokens: 4, is_estimated: true, is_unpriced: false }]);
  });

  it("is billed no more rerank queries than were reserved, where its parts are counted by us", async () => {
    const rates = { input_cost_per_query: 0.002 };
    const facts = { provider: "a", model: "m", rates };
    const prices: Prices = { version: "t", find: () => facts, list: () => [facts] };
    const parted: Provider = {
      name: "a",
      async rerank(asked, call) {
        for (const each of asked.documents) {
          call.answered?.({ request: { ...asked, documents: [each] }, usage: undefined });
        }
        throw unreadable();
      },
    };
    const { engine, options, attempts } = await keptBooks([parted], { prices, dollars: 0.003 });
    const documents = ["one", "two", "three"].map((text) => ({ text }));
    await engine.rerank({ model: "a/m", query: "q", documents }, options).catch(() => {});
    expect(await attempts()).toMatchObject([{ cost_nano: 2_000_000 }]);
  });

  it("leaves the winner of a race its tab where it answers nothing in the same moment", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const nothing: Provider = { name: "b", embed: () => gate.then(() => undefined as never) };
    const first: Provider = { name: "a", embed: () => gate.then(() => ({ ...vectors, usage: promptOf(3) })) };
    const { engine, clock, options, attempts } = await keptBooks([first, nothing], { hedge: { after_ms: 5 } });
    const call = engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    await settled();
    await clock.advance(5);
    open();
    await call;
    expect(await attempts()).toMatchObject([
      { provider: "b", cost_nano: 0 },
      { provider: "a", cost_nano: 3_000 },
    ]);
  });
});

it("a caller who fails to hear of the rates leaves nothing reserved", async () => {
  const { engine, options, attempts } = await keptBooks([answering("a", 7)]);
  const onRates = () => {
    throw new Error("deaf");
  };
  await engine.embed({ model: "a/m", input: "x" }, { ...options, onRates });
  expect(await attempts()).toMatchObject([{ prompt_tokens: 7 }]);
});

it("a caller who fails to hear of the rates later is a defect, not an unhandled rejection", async () => {
  const { engine, options } = await keptBooks([answering("a", 7)]);
  const defect = new Promise((resolve) => engine.on("defect", ({ error }) => resolve(error)));
  const onRates = async () => Promise.reject(new Error("deaf"));
  await engine.embed({ model: "a/m", input: "x" }, { ...options, onRates });
  expect(await defect).toEqual(new Error("deaf"));
});

it("a ticket's name is not that of another model of the same call", async () => {
  const counters = memoryCounters();
  const names = new Set<string>();
  const reserve: Counters["reserve"] = (call) => {
    names.add(call.reservationId);
    return counters.reserve(call);
  };
  const { engine, options } = await keptBooks([failing("a", 1)], { counters: { ...counters, reserve } });
  await engine
    .embed({ model: "a/m/1", fallbacks: ["a/m"], input: "x", allow_other_model: true }, options)
    .catch(() => {});
  expect(names.size).toBe(2);
});
