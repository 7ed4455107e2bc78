import { describe, expect, it } from "vitest";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { scriptedEngine } from "../../../src/testing/index.ts";
import { engineOver, messages, record, settled, textOf, wordByWord } from "../support/support.ts";

const ask = { model: "a/m", messages };

describe("the deadline", () => {
  const silent = (name: string, asked: string[]): Provider => {
    const stay = () => {
      asked.push(name);
      return new Promise<never>(() => {});
    };
    return { name, chat: stay, streamChat: () => ({ [Symbol.asyncIterator]: () => ({ next: stay }) }) };
  };

  it.each(["chat", "streamChat"] as const)(
    "%s: nobody is asked, and nobody blamed, once it has passed",
    async (verb) => {
      const asked: string[] = [];
      const providers = ["a", "b", "c"].map((name) => silent(name, asked));
      const { engine, clock } = engineOver(providers, { timeouts: { whole: 1_000 } });
      const moves = record(engine, "fell_back");
      const call = engine[verb]({ ...ask, fallbacks: ["b/m", "c/m"] }).catch((thrown) => thrown);
      await settled();
      await clock.advance(1_000);
      expect(await call).toMatchObject({ code: "upstream_timeout", provider: "a", attempts: [{ target: "a/m" }] });
      expect(asked).toEqual(["a"]);
      expect(engine.health().map(({ target }) => target)).toEqual(["a/m"]);
      expect(moves).toEqual([]);
    },
  );
  it("has passed for whoever is not asked before it, e.g. while the key was looked up", async () => {
    const asked: string[] = [];
    const { engine, clock } = engineOver([silent("a", asked)], { timeouts: { whole: 1_000 } });
    engine.on("planned", () => void clock.advance(1_000));
    await expect(engine.chat(ask)).rejects.toMatchObject({ code: "upstream_timeout", status: 504 });
    expect([asked, engine.health()]).toEqual([[], []]);
  });
});

describe("a stream", () => {
  it("that breaks and is not gone on with is one failure of its target, not two", async () => {
    const engine = scriptedEngine(
      { "a/m": [{ kind: "break", text: "to be or not", after: 2 }], "b/m": [{ kind: "fail", status: 503 }] },
      { retry: { retries: 0 } },
    );
    const stream = await engine.streamChat({ ...ask, fallbacks: ["b/m"] });
    await expect(textOf(stream)).rejects.toMatchObject({ provider: "a" });
    expect(engine.health()).toContainEqual(expect.objectContaining({ target: "a/m", failures: 1 }));
  });
  it("whose answer was read is whole although its end is not fetched before the deadline", async () => {
    const { engine, clock } = engineOver(wordByWord("one two"), { timeouts: { whole: 1_000 } });
    const settled = record(engine, "settled");
    const stream = (await engine.streamChat(ask))[Symbol.asyncIterator]();
    let reason: string | null | undefined = null;
    while (reason === null) reason = (await stream.next()).value?.choices[0]?.finish_reason;
    await clock.advance(1_000);
    expect([reason, (await stream.next()).done]).toEqual(["stop", true]);
    expect(settled).toMatchObject([{ status: 200, reason: "ok" }]);
    expect(engine.health()).not.toContainEqual(expect.objectContaining({ failures: 1 }));
  });
  it("whose answer was not read to its end before the deadline is not", async () => {
    const { engine, clock } = engineOver(wordByWord("one two"), { timeouts: { whole: 1_000 } });
    const settled = record(engine, "settled");
    const stream = (await engine.streamChat(ask))[Symbol.asyncIterator]();
    await stream.next();
    await clock.advance(1_000);
    await expect(stream.next()).rejects.toMatchObject({ code: "upstream_timeout" });
    expect(settled).toMatchObject([{ status: 504, reason: "upstream_timeout" }]);
  });
  it("that is cancelled before it was handed over settles although nobody reads it", async () => {
    const { engine, clock } = engineOver(wordByWord("one two three"));
    const settled = record(engine, "settled");
    const controller = new AbortController();
    engine.on("attempted", () => controller.abort());
    const call = engine.streamChat(ask, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "request_cancelled", eventId: "evt_0" });
    expect(settled).toMatchObject([{ status: 499, target: "a/m" }]);
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
  });
  it("that is returned while a chunk is waited for ends the provider's work at once", async () => {
    const ended: unknown[] = [];
    const stuck: Provider = {
      name: "a",
      async *streamChat(request, call) {
        for await (const chunk of wordByWord("one two")[0]?.streamChat?.(request, call) ?? []) {
          yield chunk;
          await new Promise((_resolve, reject) => {
            call.signal.addEventListener("abort", () => {
              ended.push("ended");
              reject(call.signal.reason);
            });
          });
        }
      },
    };
    const { engine, clock } = engineOver([stuck]);
    const settled = record(engine, "settled");
    const chunks = (await engine.streamChat(ask))[Symbol.asyncIterator]();
    await chunks.next();
    const next = chunks.next().catch((thrown) => thrown);
    await clock.advance(0);
    expect(await chunks.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toMatchObject({ code: "request_cancelled" });
    expect([ended, settled.length, engine.inFlight, clock.pending]).toEqual([["ended"], 1, 0, 0]);
  });
});
