import { describe, expect, it, onTestFinished } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { cachedEngine, ask as question, settle } from "../support/caching.ts";
import { engineOver, messages, record, settled, textOf } from "../support/support.ts";

const ask = { model: "a/m", messages };
const budgets = [{ max_limit: 9, reset_duration: "1d" as const }];
const provider_configs = ["a", "b"].map((provider) => ({ provider, allowed_models: ["*"] }));
const chunk = (content: string): ChatChunk => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: null, delta: content === "" ? {} : { content } }],
});

describe("a provider", () => {
  it.each([undefined, null, 5, { choices: 3 }])("whose answer is none (%j) holds no reservation", async (given) => {
    const provider: Provider = { name: "a", chat: async () => given as never };
    const { engine, clock } = engineOver([provider], { store: memoryStore() });
    const { key, value } = await engine.keys.create({ name: "k", budgets, provider_configs });
    await expect(engine.chat(ask, { key: value })).rejects.toMatchObject({
      code: "upstream_invalid_response",
      provider: "a",
    });
    expect((await engine.usage.limits(key.id))[0]).toMatchObject({ reserved: 0, used: 0 });
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
  });
  it("that streams on although its attempt is over is read no further, and its stream ended", async () => {
    const seen = { asked: 0, returned: 0 };
    let say = (_content: string) => {};
    const source: AsyncIterableIterator<ChatChunk, undefined> = {
      [Symbol.asyncIterator]: () => source,
      next: () => {
        seen.asked++;
        return new Promise((resolve) => {
          say = (content) => resolve({ done: false, value: chunk(content) });
        });
      },
      async return() {
        seen.returned++;
        return { done: true, value: undefined };
      },
    };
    const { engine, clock } = engineOver([{ name: "a", streamChat: () => source }]);
    const controller = new AbortController();
    const call = engine.streamChat(ask, { signal: controller.signal });
    await clock.advance(0);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "request_cancelled" });
    for (let n = 0; n < 3; n++) {
      say("");
      await clock.advance(0);
    }
    expect(seen).toEqual({ asked: 1, returned: 1 });
  });
});

describe("counters that fail", () => {
  it("are told of when the books are closed, and end no process meanwhile", async () => {
    const counters = memoryCounters();
    let settled = 0;
    const failing: typeof counters = {
      ...counters,
      settle: async (...settlement) => {
        if (++settled === 1) throw new Error("connection lost");
        return counters.settle(...settlement);
      },
    };
    const broken: Provider = {
      name: "a",
      chat: () => Promise.reject(new GatewayError("upstream_invalid_response", "no")),
    };
    const slow: Provider = {
      name: "b",
      async chat(_request, { id }) {
        await settle(); // long enough for Node to miss whoever hears of the failure
        return { id, object: "chat.completion", created: 1, model: "m", choices: [] };
      },
    };
    const unheard: unknown[] = [];
    const hear = (thrown: unknown) => void unheard.push(thrown);
    process.on("unhandledRejection", hear);
    onTestFinished(() => void process.off("unhandledRejection", hear));
    const { engine } = engineOver([broken, slow], { store: memoryStore(), counters: failing });
    const defects = record(engine, "defect");
    const { value } = await engine.keys.create({ name: "k", budgets, provider_configs });
    expect((await engine.chat({ ...ask, fallbacks: ["b/m"] }, { key: value })).choices).toEqual([]);
    expect(defects).toMatchObject([{ error: { message: "connection lost" } }]);
    expect(unheard).toEqual([]);
  });
});

async function* neverStreams(): AsyncGenerator<never> {
  await new Promise(() => {});
}

describe("a clock that is set back", () => {
  const hour = 3_600_000;
  function overSetClock(provider: Provider) {
    const time = fakeClock();
    const set = { by: 0 };
    const { engine } = engineOver([provider], { clock: { now: () => time.now() + set.by, after: time.after } });
    return { engine, time, set };
  }

  it.each([
    ["first content", { firstContent: 1_000, whole: 60_000 }],
    ["first content in all", { firstContent: 60_000, firstContentMax: 1_000, whole: 60_000 }],
    ["the whole request", { firstContent: 60_000, whole: 1_000 }],
  ])("lengthens the wait for %s by no more than that wait", async (_, timeouts) => {
    const { engine, time, set } = overSetClock({ name: "a", streamChat: neverStreams });
    const call = engine.streamChat(ask, { timeouts }).catch((thrown) => thrown);
    await settled();
    await time.advance(500);
    set.by = -hour;
    await time.advance(1_500);
    expect(await call).toMatchObject({ code: "upstream_timeout" });
  });
  it("makes no time negative: of answers, chunks, events and the ledger", async () => {
    const store = memoryStore();
    const time = fakeClock();
    const set = { by: 0 };
    const goBack = () => {
      set.by -= hour;
    };
    const provider: Provider = {
      name: "a",
      async chat() {
        goBack();
        return { id: "x", object: "chat.completion", created: 1, model: "m", choices: [] };
      },
      async *streamChat() {
        goBack();
        yield chunk("one");
        goBack();
        yield { ...chunk("two"), choices: [{ index: 0, finish_reason: "stop", delta: { content: "two" } }] };
      },
    };
    const clock = { now: () => time.now() + set.by, after: time.after };
    const { engine } = engineOver([provider], { clock, store });
    const told: unknown[] = [];
    for (const name of ["attempted", "settled"] as const) engine.on(name, (event) => void told.push(event));
    told.push(await engine.chat(ask));
    for await (const piece of await engine.streamChat(ask)) told.push(piece);
    told.push(await store.ledger.entries({ from: 0, to: time.now() + hour, limit: 9 }));
    const times = [...JSON.stringify(told).matchAll(/"(?:latency|milliseconds|time_to_first_token)":(-?[\d.]+)/g)];
    expect(times.length).toBeGreaterThan(8);
    expect(times.map(([, ms]) => Number(ms)).filter((ms) => ms < 0)).toEqual([]);
  });
  it("lengthens a gap by no more than that gap, and shortens none", async () => {
    let say = (_content: string) => {};
    const { engine, time, set } = overSetClock({
      name: "a",
      async *streamChat() {
        yield chunk("one");
        for (;;) yield chunk(await new Promise<string>((resolve) => (say = resolve)));
      },
    });
    const stream = await engine.streamChat(ask, { timeouts: { gap: 1_000 } });
    const told: string[] = [];
    const read = (async () => {
      for await (const { choices } of stream) told.push(choices[0]?.delta.content ?? "");
    })().catch((thrown) => thrown);
    await settled();
    await time.advance(900);
    set.by = -hour;
    say("two");
    await time.advance(900);
    say("three");
    await time.advance(0);
    expect(told).toEqual(["one", "two", "three"]);
    await time.advance(2_000);
    expect(await read).toMatchObject({ code: "upstream_timeout" });
  });
});

describe("a follower of somebody else's stream", () => {
  it("that is cancelled as it boards is settled, and holds nobody up", async () => {
    const { engine, asked } = cachedEngine();
    const settled = record(engine, "settled");
    const leader = engine.streamChat(question("hi"));
    await settle();
    const controller = new AbortController();
    engine.on("cache", ({ result }) => {
      if (result === "joined") controller.abort();
    });
    const follower = engine.streamChat(question("hi"), { signal: controller.signal });
    await settle();
    asked[0]?.say("to be");
    await settle();
    const stream = await follower;
    asked[0]?.end();
    expect(await textOf(await leader)).toBe("to be");
    expect(settled.map(({ reason }) => reason).toSorted()).toEqual(["ok", "request_cancelled"]);
    expect(engine.inFlight).toBe(0);
    await expect(textOf(stream)).rejects.toMatchObject({ code: "request_cancelled" });
  });
});
