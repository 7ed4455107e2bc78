import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import type { AnswerCache } from "../../../../src/engine/ports/answers.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { ask, cachedEngine, embedder, semantic, settle } from "../../support/caching.ts";
import { engineOver, textOf } from "../../support/support.ts";

/** A cache as a server is: every answer comes a few turns later. */
function distantCache(): AnswerCache {
  const near = memoryCache();
  const later = async <Value>(value: Value): Promise<Awaited<Value>> => {
    await new Promise((resolve) => setImmediate(resolve));
    return await value;
  };
  return {
    get: (scope, id, now) => later(near.get(scope, id, now)),
    put: (scope, id, answer) => later(near.put(scope, id, answer)),
    delete: (scope, id) => later(near.delete(scope, id)),
    clear: (scope) => later(near.clear(scope)),
  };
}

describe("a cache that takes its time", () => {
  it("is asked once for all who ask the same at once, and so is the provider", async () => {
    const { engine, asked } = cachedEngine({ answers: distantCache() });
    const answers = Array.from({ length: 1_000 }, () => engine.chat(ask("hi")));
    const texts = Array.from({ length: 100 }, async () => textOf(await engine.streamChat(ask("hi"))));
    await settle();
    for (const one of asked) one.say("hello");
    for (const one of asked) one.end();
    expect(new Set((await Promise.all(answers)).map(({ choices }) => choices[0]?.message.content))).toEqual(
      new Set(["hello"]),
    );
    expect(new Set(await Promise.all(texts))).toEqual(new Set(["hello"]));
    expect(asked).toHaveLength(2); // one whole, one streamed
    expect((await engine.chat(ask("hi"))).extra_fields?.cache_debug?.cache_hit).toBe(true);
    expect(asked).toHaveLength(2);
    expect(engine.inFlight).toBe(0);
  });

  it("gives a hit to all who asked while it was looking", async () => {
    const { engine, asked } = cachedEngine({ answers: distantCache() });
    const first = engine.chat(ask("hi"));
    await settle();
    asked[0]?.say("hello");
    await first;
    const all = await Promise.all(Array.from({ length: 10 }, () => engine.chat(ask("hi"))));
    expect(all.every(({ extra_fields }) => extra_fields?.cache_debug?.cache_hit)).toBe(true);
    expect(asked).toHaveLength(1);
  });
});

describe("a cache that fails", () => {
  const broken = (): never => {
    throw new Error("the cache is down");
  };
  const rejecting = () => Promise.reject(new Error("the cache is down"));
  it.each([
    ["at once", { get: broken, put: broken, delete: broken, clear: broken }],
    ["later", { get: rejecting, put: rejecting, delete: rejecting, clear: rejecting }],
  ])("%s costs nobody the answer, whole or streamed", async (_when, answers) => {
    const { engine, asked, events } = cachedEngine({ answers });
    const whole = engine.chat(ask("hi"));
    await settle();
    asked[0]?.say("hello");
    expect((await whole).choices[0]?.message.content).toBe("hello");
    const opening = engine.streamChat(ask("hi"));
    await settle();
    asked[1]?.say("hello");
    asked[1]?.end();
    expect(await textOf(await opening)).toBe("hello");
    expect(events.map(({ result }) => result)).toEqual(["failed", "miss", "failed", "failed", "miss", "failed"]);
    expect(engine.inFlight).toBe(0);
  });

  it("and an index that fails do neither", async () => {
    const { provider } = embedder(() => [1, 2]);
    const vectors = { put: rejecting, nearest: rejecting, delete: rejecting, clear: rejecting };
    const { engine, asked } = cachedEngine(semantic({ vectors }), { providers: [provider] });
    const whole = engine.chat(ask("hi"));
    await settle();
    asked[0]?.say("hello");
    expect((await whole).choices[0]?.message.content).toBe("hello");
  });
});

describe("a cache that never answers", () => {
  const never = () => new Promise<never>(() => {});
  const expectPatience = async ({ engine, asked, clock }: ReturnType<typeof cachedEngine>) => {
    const whole = engine.chat(ask("hi"));
    await settle();
    await clock.advance(1_000);
    asked[0]?.say("hello");
    await settle();
    await clock.advance(1_000);
    expect((await whole).choices[0]?.message.content).toBe("hello");
  };
  it("keeps a question for a second, and its answer for another", async () => {
    const answers = { get: never, put: never, delete: never, clear: never };
    const world = cachedEngine({ answers });
    await expectPatience(world);
    const { engine, events, clock } = world;
    expect(events.map(({ result }) => result)).toEqual(["failed", "miss", "failed"]);
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
  });

  it("nor does its index keep one for longer", async () => {
    const { provider } = embedder(() => [1, 2]);
    const vectors = { put: never, nearest: never, delete: never, clear: never };
    const world = cachedEngine(semantic({ vectors }), { providers: [provider] });
    await expectPatience(world);
    const { engine, clock } = world;
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
  });
});

describe("every verb", () => {
  const count = { embed: 0, rerank: 0, decide: 0 };
  const provider: Provider = {
    name: "v",
    embed: async ({ input }, { model }) => {
      const data = [{ index: 0, object: "embedding", embedding: [String(input).length, ++count.embed] }];
      return { object: "list", model, data };
    },
    rerank: async (_request, { model }) => ({ model, results: [{ index: 0, relevance_score: ++count.rerank }] }),
    decide: async (_request, { id, model }) => {
      count.decide++;
      return { id, model, answers: { q: { kind: "noul", value: 0.5 } } };
    },
  };
  const { engine } = engineOver([provider], { cache: { answers: memoryCache() } });
  it.each([
    ["embed", () => engine.embed({ model: "v/m", input: "hi" }), () => engine.embed({ model: "v/m", input: "ho" })],
    [
      "rerank",
      () => engine.rerank({ model: "v/m", query: "q", documents: [{ text: "a" }] }),
      () => engine.rerank({ model: "v/m", query: "q", documents: [{ text: "b" }] }),
    ],
    [
      "decide",
      () => engine.decide({ model: "v/m", questions: { q: { kind: "noul" } } }),
      () => engine.decide({ model: "v/m", questions: { q: { kind: "noul", instructions: "other" } } }),
    ],
  ] as const)("%s gives a kept answer to the same question only", async (name, same, other) => {
    const { extra_fields: _first, ...first } = await same();
    const { extra_fields, ...again } = await same();
    expect(again).toEqual(first);
    expect(extra_fields?.cache_debug).toMatchObject({ cache_hit: true, hit_type: "direct" });
    await other();
    expect(count[name]).toBe(2);
  });
});

describe("closing the engine", () => {
  it("ends those who wait for others, and the work, when the time is over", async () => {
    const { engine, asked, clock } = cachedEngine();
    const calls = Promise.allSettled([engine.chat(ask("hi")), engine.chat(ask("hi"))]);
    await settle();
    const closed = engine.close({ graceMs: 100 });
    await clock.advance(100);
    await closed;
    const codes = (await calls).map((end) => (end.status === "rejected" ? end.reason.code : "answered"));
    expect(codes).toEqual(["shutting_down", "shutting_down"]);
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(engine.inFlight).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("lets go of the cache's connections", async () => {
    const closed: string[] = [];
    const answers = { ...memoryCache(), close: async () => void closed.push("answers") };
    const { engine } = cachedEngine({ answers });
    await engine.close();
    expect(closed).toEqual(["answers"]);
  });
});

describe("options of a cache that cannot be are refused by name", () => {
  it.each([
    [{ answers: {} as never }, "cache.answers"],
    [{ embed: "e/m" }, "cache.embed"],
    [{ ...semantic(), embed: "nobody/m" }, "cache.embed"],
    [{ ...semantic(), embed: "plain" }, "cache.embed"],
    [{ ttl: 0 }, "cache.ttl"],
    [{ threshold: 2 }, "cache.threshold"],
    [{ scope: "world" as never }, "cache.scope"],
  ])("%o", (cache, param) => {
    expect(() => cachedEngine(cache)).toThrowError(expect.objectContaining({ code: "invalid_configuration", param }));
  });

  it("and what is kept cannot be asked for without one", async () => {
    const { engine } = engineOver([{ name: "a" }]);
    await expect(engine.cache.clear("trusted")).rejects.toMatchObject({
      code: "invalid_configuration",
      param: "cache",
    });
  });
});
